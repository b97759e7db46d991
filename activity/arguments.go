package activity

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"
)

// ArgumentError says that the arguments of a call do not fit the Go function. Retrying does not help.
type ArgumentError struct {
	Activity string
	Problem  string // which argument, what was expected, what was found
}

func (e *ArgumentError) Error() string { return e.Activity + ": " + e.Problem }

// ErrorCode is the name under which scripts see the error.
func (e *ArgumentError) ErrorCode() string { return "ActivityArgumentError" }

// Retryable is always false: the same arguments do not fit the next time either.
func (e *ArgumentError) Retryable() bool { return false }

func (f *Func) arguments(in []reflect.Value, args json.RawMessage) ([]reflect.Value, error) {
	var room [6]json.RawMessage
	parts, err := Split(room[:0], args)
	if err != nil {
		return nil, f.unfit("the arguments are not a JSON array: %v", err)
	}
	fixed := len(f.in)
	if f.variadic {
		fixed--
	}
	if len(parts) > fixed && !f.variadic {
		return nil, f.unfit("expected %s, found %d", f.expected(), len(parts))
	}
	for i := range fixed {
		t := f.in[i]
		if i >= len(parts) {
			if !takesNil(t) {
				return nil, f.unfit("expected %s, found %d", f.expected(), len(parts))
			}
			in = append(in, reflect.Zero(t))
			continue
		}
		v, err := f.argument(i, t, parts[i])
		if err != nil {
			return nil, err
		}
		in = append(in, v)
	}
	for i := fixed; i < len(parts); i++ {
		v, err := f.argument(i, f.in[fixed], parts[i])
		if err != nil {
			return nil, err
		}
		in = append(in, v)
	}
	return in, nil
}

func (f *Func) unfit(format string, args ...any) error {
	return &ArgumentError{Activity: f.name, Problem: fmt.Sprintf(format, args...)}
}

func (f *Func) expected() string {
	switch {
	case f.variadic:
		return fmt.Sprintf("at least %s %s", plural(len(f.in)-1), f.Signature())
	case len(f.in) == 0:
		return "no arguments"
	}
	return fmt.Sprintf("%s %s", plural(len(f.in)), f.Signature())
}

func plural(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return strconv.Itoa(n) + " arguments"
}

func takesNil(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return true
	}
	return false
}

// argument decodes one value. Strings, booleans and numbers, the most frequent, do not go through encoding/json.
func (f *Func) argument(i int, t reflect.Type, data json.RawMessage) (reflect.Value, error) {
	v := reflect.New(t).Elem()
	if string(data) == "null" {
		if takesNil(t) || codesItself(t, true) {
			return v, nil
		}
		return v, f.unfit("argument %d: expected %s, found nil", i+1, t)
	}
	if plain(v, data) {
		return v, nil
	}
	if emptyTable(t, data) {
		return v, nil
	}
	if err := json.Unmarshal(data, v.Addr().Interface()); err != nil {
		return v, f.unfit("argument %d: %s", i+1, unfitText(err, t, data))
	}
	return v, nil
}

// plain decodes data into v if it is a scalar of the very kind that v has, and reports whether it was.
func plain(v reflect.Value, data []byte) bool {
	t := v.Type()
	if len(data) == 0 || t.PkgPath() != "" && codesItself(t, true) {
		return false
	}
	switch v.Kind() {
	case reflect.String:
		if n := len(data); n >= 2 && data[0] == '"' && data[n-1] == '"' && isPlainText(data[1:n-1]) {
			v.SetString(string(data[1 : n-1]))
			return true
		}
		return luaString(v, data)
	case reflect.Slice:
		return isBytes(t) && luaString(v, data)
	case reflect.Bool:
		switch string(data) {
		case "true":
			v.SetBool(true)
			return true
		case "false":
			return true
		}
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		if n, err := strconv.ParseInt(string(data), 10, 64); err == nil && !v.OverflowInt(n) {
			v.SetInt(n)
			return true
		}
	case reflect.Float64:
		if n, err := strconv.ParseFloat(string(data), 64); err == nil {
			v.SetFloat(n)
			return true
		}
	}
	return false
}

// emptyTable: Lua has one empty table for the empty list and the empty object, so each fits where the other is expected.
func emptyTable(t reflect.Type, data json.RawMessage) bool {
	switch t.Kind() {
	case reflect.Slice:
		return string(data) == "{}"
	case reflect.Map, reflect.Struct:
		return string(data) == "[]"
	}
	return false
}

func unfitText(err error, t reflect.Type, data json.RawMessage) string {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return fmt.Sprintf("expected %s: %v", t, err)
	}
	expected := mismatch.Type.String()
	if mismatch.Type == reflect.TypeFor[time.Duration]() {
		expected += " (a whole number of nanoseconds)"
	}
	if mismatch.Field == "" {
		return fmt.Sprintf("expected %s, found %s", expected, found(mismatch.Value, data))
	}
	return fmt.Sprintf("field %s of %s: expected %s, found %s", mismatch.Field, t, expected, found(mismatch.Value, nil))
}

// found names a JSON value in the words of Lua. value is encoding/json's own description of it.
func found(value string, data json.RawMessage) string {
	shown := ""
	if len(data) > 0 && len(data) <= 40 {
		shown = " " + string(data)
	}
	switch value {
	case "string":
		return "a string" + shown
	case "number":
		return "a number" + shown
	case "bool":
		return "a boolean" + shown
	case "array":
		return "a list" + shown
	case "object":
		return "a table" + shown
	}
	return value // "number 1.5" and the like
}
