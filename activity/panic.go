package activity

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
)

// PanicError is a panic of an activity, or its end by runtime.Goexit. The engine and its other activities go on.
type PanicError struct {
	Activity string
	Value    any
	Stack    []string // the innermost calls of the host's code, "main.charge main.go:12"
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("activity %s panicked: %s", e.Activity, panicText(e.Value))
}

// ErrorCode is the name under which scripts see the error.
func (e *PanicError) ErrorCode() string { return "PanicError" }

// Details is the short stack.
func (e *PanicError) Details() json.RawMessage {
	text, _ := json.Marshal(map[string]any{"stack": e.Stack})
	return text
}

// Unwrap gives the error that was the value of the panic, if it was one.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// panicText survives values whose own Error or String method panics.
func panicText(v any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("a %T", v)
		}
	}()
	return fmt.Sprint(v)
}

const stackDepth = 12

// newPanicError is called by the deferred function that recovers, so the stack of the panic is still there.
func newPanicError(name string, value any) *PanicError {
	e := &PanicError{Activity: name, Value: value}
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for len(e.Stack) < stackDepth {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "reflect.") {
			break // below are reflection and the engine
		}
		if f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") {
			e.Stack = append(e.Stack, fmt.Sprintf("%s %s:%d", f.Function, lastPart(f.File), f.Line))
		}
		if !more {
			break
		}
	}
	return e
}

func lastPart(file string) string { return file[strings.LastIndexByte(file, '/')+1:] }
