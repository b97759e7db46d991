package stdlib

import (
	"errors"
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// raised calls the function, or waits for the promise, and gives what it raised.
func (v *verdict) raised() (value lua.LValue, failed bool) {
	fn := v.args[0]
	if p, is := toPromise(fn); is {
		b := v.flow.branch(v.L, v.chain.luaKind())
		if _, err := v.flow.wait(b, p); err != nil {
			return v.flow.errors.thrown(errorOf(err)), true
		}
		return nil, false
	}
	if !callable(v.L, fn) {
		vm.Throwf(v.L, 1, "%s expects a function or a promise, got %s; pass the function itself: %s(function() … end)", v.chain.luaKind(), describe(fn), v.chain.luaKind())
	}
	_, err := v.flow.state.Call(fn)
	var raised *vm.Error
	if errors.As(err, &raised) {
		return raised.Value, true
	} else if err != nil {
		panic(err)
	}
	return nil, false
}

// errorTexts are what an error may be called: its text without the place, its name, its message.
func (v *verdict) errorTexts(raised lua.LValue) []string {
	e := v.flow.errors.raised(raised)
	texts := []string{e.Message}
	if _, is := raised.(lua.LString); is {
		texts = append(texts, raised.String())
	}
	if e.Name != nameError {
		texts = append(texts, e.Name, e.Error())
	}
	return append(texts, e.Kinds...)
}

// fails is has_error(fn [, expected]): a name, a message, or a table that is raised.
func (v *verdict) fails() bool {
	raised, failed := v.raised()
	expected := lua.LValue(lua.LNil)
	if len(v.args) > 1 {
		expected = v.args[1]
	}
	if !failed {
		v.text = "expected an error"
		if expected != lua.LNil {
			v.text += " " + v.show(expected)
		}
		v.text += ", there was none"
		return false
	}
	v.results = []lua.LValue{raised}
	shown := v.errorText(raised)
	if expected == lua.LNil {
		v.text = "expected no error, got " + shown
		return true
	}
	v.text = fmt.Sprintf("expected %sthe error %s, got %s", v.not(), v.show(expected), shown)
	if text, is := expected.(lua.LString); is {
		for _, t := range v.errorTexts(raised) {
			if t == string(text) {
				return true
			}
		}
		return false
	}
	_, same := v.compare(expected, raised)
	return same
}

func (v *verdict) errorText(raised lua.LValue) string {
	if t, is := raised.(*lua.LTable); is {
		return v.show(t)
	}
	return v.flow.errors.raised(raised).Error()
}

// failsLike is error_matches(fn, pattern).
func (v *verdict) failsLike() bool {
	raised, failed := v.raised()
	pattern, is := v.args[1].(lua.LString)
	switch {
	case !is:
		vm.Throwf(v.L, 1, "%s expects a pattern as its second argument, got %s", v.chain.luaKind(), describe(v.args[1]))
	case !failed:
		v.text = fmt.Sprintf("expected an error that matches %q, there was none", string(pattern))
		return false
	}
	v.results = []lua.LValue{raised}
	texts := v.errorTexts(raised)
	v.text = fmt.Sprintf("expected %san error that matches %q, got %s", v.not(), string(pattern), v.errorText(raised))
	return v.find(string(pattern), strings.Join(texts, "\n"))
}
