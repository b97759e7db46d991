package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// Session makes the state that of a session: what is declared again replaces what was there, the module is a global, and so is a
// table of the workflows that were declared, by their names.
func (f *Flow) Session() error {
	f.declared.again = true
	f.workflows = f.state.Main().CreateTable(0, 4)
	f.state.Globals().RawSetString("workflows", f.workflows)
	return preset(f.state)
}

// Session is Flow.Session for an activity of a session.
func (a *ActivityFlow) Session() error {
	a.declared.again = true
	return preset(a.state)
}

func preset(s *vm.State) error {
	chunk, err := vm.Compile("session.lua", `flow = require "flow"`, vm.Limits{})
	if err == nil {
		_, err = s.Call(s.Load(chunk))
	}
	return err
}

// Typed makes a chunk that somebody types in the body of a branch. Unlike those of Body, its values stay what they are:
// promises are shown, not waited for.
func (f *Flow) Typed(fn lua.LValue) scheduler.Func {
	return func(b *scheduler.Branch, _ []any) (any, error) {
		values, err := f.state.Call(fn)
		if err != nil {
			return nil, f.failure(b, err)
		}
		return values, nil
	}
}

// Declare runs a chunk for what it declares: it may neither wait nor start anything, and ends where it would. The error of
// that is the caller's to ignore.
func (f *Flow) Declare(fn lua.LValue) (err error) {
	f.within("what is run again for its declarations", func() { _, err = f.state.Call(fn) })
	return err
}

// Text is what a value of this package is called, "promise (door, waiting)", without asking a metamethod; "" for any other.
func Text(v lua.LValue) string {
	ud, is := v.(*lua.LUserData)
	if !is {
		return ""
	}
	switch value := ud.Value.(type) {
	case *Error:
		return value.Error()
	case *scheduler.Promise, interface{ luaKind() string }:
		return valueText(v)
	}
	return ""
}

// ErrorOf is any error of the tree as a script sees it; nil of nil.
func ErrorOf(err error) *Error { return errorOf(err) }
