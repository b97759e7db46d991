package vm

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Error is a Lua error that nothing in Lua caught.
type Error struct {
	Value  lua.LValue // what was raised: a string with its position, as a rule
	Frames []Frame    // Lua's stack where it was raised, innermost first
}

func newError(e *lua.ApiError) *Error {
	out := &Error{Value: e.Object}
	if o, ok := e.Cause.(*origin); ok {
		out.Frames = o.frames()
	}
	return out
}

// Error is the message, without the traceback.
func (e *Error) Error() string {
	switch v := e.Value.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return FormatNumber(float64(v))
	case *lua.LUserData:
		if text, ok := v.Value.(error); ok {
			return text.Error()
		}
	}
	return fmt.Sprintf("(error object is a %s value)", e.Value.Type())
}

// Unwrap gives a Go error that was raised as a userdata.
func (e *Error) Unwrap() error {
	if ud, ok := e.Value.(*lua.LUserData); ok {
		if err, ok := ud.Value.(error); ok {
			return err
		}
	}
	return nil
}

// Traceback is Error with the stack, as lua prints it.
func (e *Error) Traceback() string { return e.Error() + "\n" + Traceback(e.Frames) }

// Traceback writes frames as lua does.
func Traceback(frames []Frame) string {
	var b strings.Builder
	b.WriteString("stack traceback:")
	for _, f := range frames {
		b.WriteString("\n\t")
		b.WriteString(f.String())
	}
	return b.String()
}

// Throw raises v as it is, without a position.
func Throw(l *lua.LState, v lua.LValue) {
	Of(l).verbatim = true
	l.Error(v, 0)
}

// Throwf raises a text with the position of the function at level: 1 is the one that called the Go function.
func Throwf(l *lua.LState, level int, format string, args ...any) {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	Throw(l, lua.LString(Of(l).where(l, level)+text))
}

// Of is the state that a thread belongs to. It works on the threads that Go functions get, not on State.Main.
func Of(l *lua.LState) *State { return l.Context().(*budget).state }
