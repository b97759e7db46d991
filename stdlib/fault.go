package stdlib

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// raise raises e as an error value of the state, with the place of the call.
func (e *Error) raise(s *vm.State, L *lua.LState) {
	e.classify()
	fields := s.Main().CreateTable(0, 8)
	for _, name := range errorFields {
		if v := e.plainField(s, name); v != lua.LNil {
			fields.RawSetString(name, v)
		}
	}
	if s.DecodeTagged != nil {
		if value, ok := s.DecodeTagged("error", fields); ok {
			if made, is := toError(value); is {
				made.site = site{s.Site()}
			}
			vm.Throw(L, value)
		}
	}
	vm.Throw(L, fields) // a state without the flow module has tables for errors
}

func (e *Error) plainField(s *vm.State, name string) lua.LValue {
	switch name {
	case "name":
		return lua.LString(e.Name)
	case "message":
		return lua.LString(e.Message)
	case "timeout":
		return textOrNil(e.Timeout)
	case "details":
		return e.details.get(s)
	case "status":
		if e.Status != 0 {
			return lua.LNumber(e.Status)
		}
	case "retryable":
		if e.Retryable != nil {
			return lua.LBool(*e.Retryable)
		}
	case "kinds":
		if len(e.Kinds) > 0 {
			return textList(s, e.Kinds)
		}
	}
	return lua.LNil
}

func textList(s *vm.State, list []string) *lua.LTable {
	t := s.Main().CreateTable(len(list), 0)
	for _, text := range list {
		t.Append(lua.LString(text))
	}
	return t
}

// stopped raises CancelledError once ctx has ended: the activity is to stop.
func stopped(s *vm.State, L *lua.LState, ctx context.Context) {
	if ctx.Err() == nil {
		return
	}
	message := "the activity was told to stop"
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		message += ": " + cause.Error()
	}
	(&Error{Name: nameCancelled, Message: message}).raise(s, L)
}

// fileFault is a failure of the file system as an error value: FileError with the kinds NotFound, Exists or
// PermissionDenied where they apply.
func fileFault(err error) *Error {
	e := &Error{Name: "FileError", Message: err.Error()}
	for _, kind := range []struct {
		err  error
		name string
	}{{fs.ErrNotExist, "NotFound"}, {fs.ErrExist, "Exists"}, {fs.ErrPermission, "PermissionDenied"}} {
		if errors.Is(err, kind.err) {
			e.Kinds = append(e.Kinds, kind.name)
		}
	}
	return e
}

// failure pushes what Lua's own functions return for a failure of the system: nil, "name: what went wrong", errno.
func failure(L *lua.LState, name string, err error) int {
	text := err.Error()
	code := 0
	var errno syscall.Errno
	if errors.As(err, &errno) {
		code, text = int(errno), sentence(errno.Error())
	}
	if name != "" {
		text = name + ": " + text
	}
	L.Push(lua.LNil)
	L.Push(lua.LString(text))
	L.Push(lua.LNumber(code))
	return 3
}

// sentence begins with a capital letter, as C's messages do.
func sentence(s string) string {
	if s != "" && 'a' <= s[0] && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}
