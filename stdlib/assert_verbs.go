package stdlib

import (
	"errors"
	"fmt"
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// assertion is something that can be asserted. What is expected comes first, then what there is.
type assertion struct {
	name    string
	args    int  // how many it needs
	subject bool // its argument is the spy that the rest speaks of
	spies   bool // it speaks of a spy
	check   func(v *verdict) bool
}

// verdict is one assertion with its arguments, and what it says when it does not hold.
type verdict struct {
	*asserts
	L       *lua.LState
	chain   *chain
	args    []lua.LValue
	results []lua.LValue // what the call returns

	text          string // instead of expected and got
	expected, got lua.LValue
	note          string // the caller's message
}

func assertions() []assertion {
	list := []assertion{
		{name: "spy", args: 1, subject: true}, {name: "stub", args: 1, subject: true},
		{name: "same", args: 2, check: (*verdict).same}, {name: "contains", args: 2, check: (*verdict).contains},
		{name: "equal", args: 2, check: (*verdict).equal}, {name: "equals", args: 2, check: (*verdict).equal},
		{name: "near", args: 3, check: (*verdict).near},
		{name: "match", args: 2, check: (*verdict).matches}, {name: "matches", args: 2, check: (*verdict).matches},
		{name: "error", args: 1, check: (*verdict).fails}, {name: "errors", args: 1, check: (*verdict).fails},
		{name: "error_matches", args: 2, check: (*verdict).failsLike}, {name: "error_match", args: 2, check: (*verdict).failsLike},
		{name: "true", args: 1, check: is("true", func(v lua.LValue) bool { return v == lua.LTrue })},
		{name: "false", args: 1, check: is("false", func(v lua.LValue) bool { return v == lua.LFalse })},
		{name: "nil", args: 1, check: is("nil", func(v lua.LValue) bool { return v == lua.LNil })},
		{name: "truthy", args: 1, check: is("something true", lua.LVAsBool)},
		{name: "falsy", args: 1, check: is("false or nil", lua.LVIsFalse)},
		{name: "called", spies: true, check: (*verdict).called},
		{name: "called_at_least", args: 1, spies: true, check: (*verdict).calledAtLeast},
		{name: "called_at_most", args: 1, spies: true, check: (*verdict).calledAtMost},
		{name: "called_with", spies: true, check: (*verdict).calledWith},
	}
	for _, t := range []lua.LValueType{lua.LTBool, lua.LTFunction, lua.LTNumber, lua.LTString, lua.LTTable, lua.LTThread, lua.LTUserData} {
		list = append(list, assertion{name: t.String(), args: 1, check: is("a "+t.String(), func(v lua.LValue) bool { return v.Type() == t })})
	}
	return list
}

var verbs = assertions()

func verbNamed(name string, ofSpy bool) *assertion {
	for i := range verbs {
		if verbs[i].name == name && verbs[i].spies == ofSpy {
			return &verbs[i]
		}
	}
	return nil
}

func verbNames(ofSpy bool) (names []string) {
	for _, v := range verbs {
		if v.spies == ofSpy {
			names = append(names, v.name)
		}
	}
	return names
}

// needs checks the number of arguments; a text after them is the caller's message.
func (v *verdict) needs(verb *assertion) {
	if len(v.args) < verb.args && !(verb.args == 1 && len(v.args) == 0 && !verb.spies) { // is_nil(f()) may get nothing
		if missing := verb.args - len(v.args); len(v.args) == 0 || missing > 1 {
			vm.Throwf(v.L, 1, "%s expects %d arguments, got %d", v.chain.luaKind(), verb.args, len(v.args))
		}
	}
	if verb.args > 0 && len(v.args) > verb.args && !verb.spies {
		if text, is := v.args[verb.args].(lua.LString); is && verb.name != "error" && verb.name != "errors" {
			v.note = string(text)
		}
	}
	for len(v.args) < verb.args {
		v.args = append(v.args, lua.LNil)
	}
}

func is(what string, holds func(lua.LValue) bool) func(*verdict) bool {
	return func(v *verdict) bool {
		v.results = v.args
		v.text = fmt.Sprintf("expected %s%s, got %s", v.not(), what, v.show(v.args[0]))
		return holds(v.args[0])
	}
}

func (v *verdict) not() string {
	if v.chain.negated {
		return "not "
	}
	return ""
}

func (v *verdict) show(value lua.LValue) string {
	p := Printer{State: v.flow.state, Width: 80}
	if value.Type() == lua.LTString {
		return p.text(value, "", 0)
	}
	return p.Text(value)
}

func (v *verdict) message() string {
	text := v.text
	if v.note != "" {
		text = v.note + "\n" + text
	}
	return text
}

func (v *verdict) same() bool {
	v.expected, v.got = v.args[0], v.args[1]
	at, same := v.compare(v.expected, v.got)
	if !same && !v.chain.negated {
		v.text = v.difference(at)
	} else if same {
		v.text = "expected something else than " + v.show(v.got)
	}
	return same
}

// contains is of a text in a text, or of the entries of a table, and of those in it, in a table that may have more.
func (v *verdict) contains() bool {
	v.expected, v.got = v.args[0], v.args[1]
	v.text = fmt.Sprintf("expected something that does not contain %s, got %s", v.show(v.expected), v.show(v.got))
	part, isText := v.expected.(lua.LString)
	text, inText := v.got.(lua.LString)
	if isText && inText && strings.Contains(string(text), string(part)) {
		return true
	}
	c := comparer{asserts: v.asserts, partly: true, pairs: map[[2]*lua.LTable]bool{}}
	if !(isText && inText) && c.same(v.expected, v.got) {
		return true
	}
	if !v.chain.negated {
		v.text = fmt.Sprintf("expected something that contains %s, got %s", v.show(v.expected), v.show(v.got))
		if len(c.at) > 0 {
			v.text += fmt.Sprintf("\nat %s expected %s, got %s", c.place(), v.show(c.expected), v.show(c.got))
		}
	}
	return false
}

func (v *verdict) equal() bool {
	v.expected, v.got = v.args[0], v.args[1]
	equal := v.L.Equal(v.expected, v.got)
	v.text = fmt.Sprintf("expected %s%s, got %s", v.not(), v.show(v.expected), v.show(v.got))
	if m, is := held[*matcher](v.expected); is && !equal {
		v.text += fmt.Sprintf("; assert.equal is ==, which does not know matchers: assert.same(%s, …)", m.text)
	} else if _, same := v.compare(v.expected, v.got); same && !equal {
		v.text = fmt.Sprintf("expected the same %s, got another one that holds the same: assert.same compares what is inside\n  %s",
			v.got.Type(), v.show(v.got))
	} else if equal {
		v.text = "expected something else than " + v.show(v.got)
	} else if v.expected.Type() == lua.LTString && v.got.Type() == lua.LTString {
		v.text = v.difference("")
	}
	return equal
}

func (v *verdict) near() bool {
	v.expected, v.got = v.args[0], v.args[1]
	expected, a := v.args[0].(lua.LNumber)
	got, b := v.args[1].(lua.LNumber)
	tolerance, c := v.args[2].(lua.LNumber)
	if !a || !c {
		vm.Throwf(v.L, 1, "%s expects (expected, got, tolerance), three numbers; got %s, %s, %s", v.chain.luaKind(), describe(v.args[0]), describe(v.args[1]), describe(v.args[2]))
	}
	v.text = fmt.Sprintf("expected %s%s ± %s, got %s", v.not(), v.show(v.args[0]), v.show(v.args[2]), v.show(v.args[1]))
	return b && math.Abs(float64(expected-got)) <= float64(tolerance)
}

func (v *verdict) matches() bool {
	pattern, is := v.args[0].(lua.LString)
	if !is {
		vm.Throwf(v.L, 1, "%s expects a pattern first, got %s", v.chain.luaKind(), describe(v.args[0]))
	}
	v.text = fmt.Sprintf("expected %sa match for %q, got %s", v.not(), string(pattern), v.show(v.args[1]))
	text, is := v.args[1].(lua.LString)
	return is && v.find(string(pattern), string(text))
}

// find is string.find, the script's own library.
func (v *verdict) find(pattern, text string) bool {
	library, is := v.flow.state.Globals().RawGetString("string").(*lua.LTable)
	if !is {
		vm.Throwf(v.L, 1, "%s needs the library string, which the script has replaced", v.chain.luaKind())
	}
	v.flow.state.Complete(library)
	found, err := v.flow.state.Call(library.RawGetString("find"), lua.LString(text), lua.LString(pattern))
	if err != nil {
		var raised *vm.Error
		if errors.As(err, &raised) {
			vm.Throwf(v.L, 1, "%s: %s", v.chain.luaKind(), raised.Error())
		}
		panic(err)
	}
	return first(found) != lua.LNil
}
