package activity

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

var (
	marshaler       = reflect.TypeFor[json.Marshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	unmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// checkType says why JSON cannot carry values of type t, found at path; nil if it can. decode is the direction:
// towards Go an interface other than any cannot be filled.
func checkType(t reflect.Type, path string, decode bool, within []reflect.Type) error {
	if codesItself(t, decode) {
		return nil
	}
	for _, outer := range within {
		if outer == t {
			return nil // a recursive type; looked at already
		}
	}
	within = append(within, t)
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return fmt.Errorf("%s: a %s cannot be carried as JSON", path, kindText(t))
	case reflect.Interface:
		if decode && t.NumMethod() > 0 {
			return fmt.Errorf("%s: an interface with methods cannot be filled from JSON: use a concrete type", path)
		}
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return checkType(t.Elem(), path, decode, within)
	case reflect.Map:
		if !keyFits(t.Key(), decode) {
			return fmt.Errorf("%s: map keys of type %s cannot be carried as JSON: use strings or integers", path, t.Key())
		}
		return checkType(t.Elem(), path+"[]", decode, within)
	case reflect.Struct:
		return checkStruct(t, path, decode, within)
	}
	return nil
}

func checkStruct(t reflect.Type, path string, decode bool, within []reflect.Type) error {
	carried := 0
	for i := range t.NumField() {
		field := t.Field(i)
		tag := field.Tag.Get("json")
		if tag == "-" || !field.IsExported() && !field.Anonymous {
			continue
		}
		carried++
		if err := checkType(field.Type, path+"."+field.Name, decode, within); err != nil {
			return err
		}
	}
	if carried == 0 && t.NumField() > 0 {
		return fmt.Errorf("%s: the struct has no exported fields: nothing of it would be carried as JSON", path)
	}
	return nil
}

// codesItself reports whether the type has JSON or text methods of its own for the direction.
func codesItself(t reflect.Type, decode bool) bool {
	if t.Kind() == reflect.Interface {
		return !decode && (t.Implements(marshaler) || t.Implements(textMarshaler))
	}
	if decode {
		p := reflect.PointerTo(t)
		return p.Implements(unmarshaler) || p.Implements(textUnmarshaler)
	}
	return t.Implements(marshaler) || t.Implements(textMarshaler)
}

func keyFits(t reflect.Type, decode bool) bool {
	switch t.Kind() {
	case reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	}
	if decode {
		return reflect.PointerTo(t).Implements(textUnmarshaler)
	}
	return t.Implements(textMarshaler)
}

func kindText(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Chan:
		return "channel"
	case reflect.Func:
		return "function"
	case reflect.Complex64, reflect.Complex128:
		return "complex number"
	case reflect.UnsafePointer:
		return "pointer without a type"
	}
	return strings.ToLower(t.Kind().String())
}
