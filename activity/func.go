// Package activity turns Go functions into activities: it checks their types when they are registered, decodes the
// JSON arguments of a call, encodes what they return, and gives their errors the shape in which a history keeps them.
// It knows nothing of runs, timeouts or retries: those are the engine's.
package activity

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Func is a Go function that can be called with JSON values. It is immutable and safe for concurrent use.
type Func struct {
	name     string
	fn       reflect.Value
	context  bool           // the first parameter is a context.Context
	in       []reflect.Type // the parameters after the context; of a variadic function the last one is the slice's element
	variadic bool
	out      int  // results before the error
	fails    bool // the last result is an error
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// New checks fn and prepares it. fn is func([context.Context,] In…) (Out…[, error]) with any number of inputs and
// outputs of types that JSON can carry. The error says which part of the signature cannot be used, and why.
func New(name string, fn any) (*Func, error) {
	if name == "" {
		return nil, fmt.Errorf("an activity needs a name")
	}
	v := reflect.ValueOf(fn)
	if !v.IsValid() || v.Kind() != reflect.Func {
		return nil, fmt.Errorf("activity %q: expected a function such as func(context.Context, Order) (Receipt, error), found %s", name, typeText(fn))
	}
	if v.IsNil() {
		return nil, fmt.Errorf("activity %q: the function is nil", name)
	}
	f := &Func{name: name, fn: v, variadic: v.Type().IsVariadic()}
	if err := f.inspect(v.Type()); err != nil {
		return nil, fmt.Errorf("activity %q, %s: %w", name, v.Type(), err)
	}
	return f, nil
}

func (f *Func) inspect(t reflect.Type) error {
	for i := range t.NumIn() {
		in := t.In(i)
		if in.Implements(contextType) && in.Kind() == reflect.Interface {
			if i > 0 {
				return fmt.Errorf("parameter %d is a context, which can only be the first", i+1)
			}
			f.context = true
			continue
		}
		if f.variadic && i == t.NumIn()-1 {
			in = in.Elem()
		}
		if err := checkType(in, in.String(), true, nil); err != nil {
			return fmt.Errorf("parameter %d: %w", i+1, err)
		}
		f.in = append(f.in, in)
	}
	for i := range t.NumOut() {
		out := t.Out(i)
		if out.Implements(errorType) {
			if i != t.NumOut()-1 {
				return fmt.Errorf("result %d is an error, which can only be the last", i+1)
			}
			if out != errorType {
				return fmt.Errorf("the last result is %s: use error, for a nil %s would be an error that is not nil", out, out)
			}
			f.fails = true
			continue
		}
		if err := checkType(out, out.String(), false, nil); err != nil {
			return fmt.Errorf("result %d: %w", i+1, err)
		}
		f.out++
	}
	return nil
}

// Signature is the parameters as they are shown to people: "(main.Order, int)".
func (f *Func) Signature() string {
	parts := make([]string, len(f.in))
	for i, t := range f.in {
		parts[i] = t.String()
		if f.variadic && i == len(f.in)-1 {
			parts[i] = "..." + parts[i]
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// Call decodes args, a JSON array of the arguments, calls the function and encodes its results as a JSON array.
// Errors are *ArgumentError, *ResultError, *PanicError or what the function returned.
func (f *Func) Call(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
	var room [6]reflect.Value
	in := room[:0]
	if f.context {
		in = append(in, reflect.ValueOf(ctx))
	}
	in, err := f.arguments(in, args)
	if err != nil {
		return nil, err
	}
	out, err := f.call(in)
	if err != nil {
		return nil, err
	}
	if f.fails {
		if failed := out[f.out]; !failed.IsNil() {
			return nil, failed.Interface().(error)
		}
	}
	return f.results(out[:f.out])
}

// call runs the function; a panic in it becomes a *PanicError.
func (f *Func) call(in []reflect.Value) (out []reflect.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = newPanicError(f.name, r)
		}
	}()
	return f.fn.Call(in), nil
}

func typeText(v any) string {
	if v == nil {
		return "nil"
	}
	return reflect.TypeOf(v).String()
}
