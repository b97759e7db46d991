package activity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// ResultError says that JSON cannot carry what an activity returned. Retrying does not help.
type ResultError struct {
	Activity string
	Problem  string // which result, and why
}

func (e *ResultError) Error() string { return e.Activity + ": " + e.Problem }

// ErrorCode is the name under which scripts see the error.
func (e *ResultError) ErrorCode() string { return "ActivityResultError" }

// Retryable is always false: the activity did its work, and would return the like again.
func (e *ResultError) Retryable() bool { return false }

func (f *Func) results(out []reflect.Value) (json.RawMessage, error) {
	if len(out) == 0 {
		return json.RawMessage("[]"), nil
	}
	buf := make([]byte, 1, 32)
	buf[0] = '['
	for i, v := range out {
		if i > 0 {
			buf = append(buf, ',')
		}
		var err error
		if buf, err = appendValue(buf, v); err != nil {
			return nil, &ResultError{Activity: f.name, Problem: fmt.Sprintf("result %d (%s) cannot be carried as JSON: %v", i+1, v.Type(), err)}
		}
	}
	return append(buf, ']'), nil
}

// appendValue encodes v. Scalars, the most frequent, do not go through encoding/json; a nil slice is an empty list.
func appendValue(buf []byte, v reflect.Value) ([]byte, error) {
	if t := v.Type(); t.PkgPath() == "" || !codesItself(t, false) {
		switch v.Kind() {
		case reflect.String:
			return appendBytes(buf, v.String())
		case reflect.Bool:
			return strconv.AppendBool(buf, v.Bool()), nil
		case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
			return strconv.AppendInt(buf, v.Int(), 10), nil
		case reflect.Float64:
			if f := v.Float(); f == math.Trunc(f) && math.Abs(f) < 1<<53 && (f != 0 || !math.Signbit(f)) {
				return strconv.AppendInt(buf, int64(f), 10), nil
			}
		case reflect.Slice:
			switch {
			case isBytes(t) && v.IsNil():
				return append(buf, "null"...), nil
			case isBytes(t):
				return appendBytes(buf, v.Bytes())
			case v.IsNil():
				return append(buf, "[]"...), nil
			}
		}
	}
	return appendJSON(buf, v.Interface())
}

// appendJSON is json.Marshal without the escapes that are for HTML. A panic in a MarshalJSON is an error.
func appendJSON(buf []byte, v any) (_ []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	w := bytes.NewBuffer(buf)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(w.Bytes(), []byte("\n")), nil
}

// Encode is the JSON array of the values, with the same rules as for results.
func Encode(values ...any) (json.RawMessage, error) {
	buf := append(make([]byte, 0, 32), '[')
	for i, v := range values {
		if i > 0 {
			buf = append(buf, ',')
		}
		if v == nil {
			buf = append(buf, "null"...)
			continue
		}
		var err error
		if buf, err = appendValue(buf, reflect.ValueOf(v)); err != nil {
			return nil, fmt.Errorf("value %d (%T) cannot be carried as JSON: %w", i+1, v, err)
		}
	}
	return append(buf, ']'), nil
}

// EncodeValue is the JSON of one value, with the same rules as for results.
func EncodeValue(v any) (json.RawMessage, error) {
	if v == nil {
		return json.RawMessage("null"), nil
	}
	return appendValue(nil, reflect.ValueOf(v))
}

// Decode fills the pointers out from the elements of the JSON array; a nil pointer skips its element, missing
// elements leave theirs as they are, further ones are dropped, as in a Lua assignment.
func Decode(array json.RawMessage, out ...any) error {
	parts, err := Split(nil, array)
	if err != nil {
		return err
	}
	for i, target := range out {
		if i >= len(parts) {
			return nil
		}
		if target == nil {
			continue
		}
		v := reflect.ValueOf(target)
		if v.Kind() == reflect.Pointer && v.IsNil() {
			return fmt.Errorf("value %d: expected a pointer to decode into, found a nil %T", i+1, target)
		}
		if v.Kind() != reflect.Pointer {
			return fmt.Errorf("value %d: expected a pointer to decode into, found %T", i+1, target)
		}
		if emptyTable(v.Type().Elem(), parts[i]) {
			v.Elem().SetZero()
			continue
		}
		if err := json.Unmarshal(parts[i], target); err != nil {
			return fmt.Errorf("value %d: %s", i+1, unfitText(err, v.Type().Elem(), parts[i]))
		}
	}
	return nil
}
