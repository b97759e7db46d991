package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// Levels are the Lua functions that a branch is in while it waits, innermost first.
func Levels(b *scheduler.Branch) []vm.Level {
	if l, has := b.Local.(*local); has {
		return l.at.Levels()
	}
	return nil
}

// Evaluate runs what is typed into a debugger where a level is. It may neither wait nor start anything. Errors of the script
// are *Error.
func (f *Flow) Evaluate(at vm.Level, name, source string) (values []lua.LValue, err error) {
	f.within("a debugger", func() {
		values, err = f.state.Evaluate(at, name, source)
		if failed, is := err.(*vm.Error); is {
			err = f.errors.uncaught(failed)
		}
	})
	return values, err
}

// RaisedText is what an error value says, and whether it is a CancelledError.
func RaisedText(v lua.LValue) (text string, cancelled bool) {
	if e, is := held[*Error](v); is {
		return e.Error(), e.Matches(nameCancelled)
	}
	if text, is := v.(lua.LString); is {
		return string(text), false
	}
	return "an error that is a " + v.Type().String(), false
}
