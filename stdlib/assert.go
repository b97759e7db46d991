package stdlib

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// nameAssertion is the error of an assertion that does not hold.
const nameAssertion = "AssertionError"

// open makes assert what specs expect of it: assert.same(expected, got) and its like besides assert(v, message), and the
// globals spy, stub and match beside it.
func (w *asserts) open() {
	g := w.flow.state.Globals()
	g.RawSetString("assert", w.value(&chain{}))
	w.openSpies(g)
	w.openMatchers(g)
}

// asserts are the words of assertions in one state.
type asserts struct {
	flow               *Flow
	chainMeta, spyMeta *lua.LTable
}

// chain is what has been said of an assertion so far: assert.is_not, assert.spy(s).was.
type chain struct {
	negated bool
	said    string // the words, for messages: "is_not.same"
	verb    *assertion
	spy     *spy
	matcher bool // match.is_string() makes a matcher instead of asserting
}

func (c *chain) luaKind() string {
	what := "assert"
	if c.matcher {
		what = "match"
	}
	if c.said == "" {
		return what
	}
	return what + "." + c.said
}

// fillers are the words that only make a sentence.
var fillers = []string{"a", "an", "are", "be", "been", "does", "has", "have", "is", "the", "to", "was", "were"}

var negations = []string{"no", "not"}

// say adds a word, or several joined by "_".
func (c *chain) say(words string) (next *chain, known bool) {
	n := *c
	n.said = strings.TrimPrefix(c.said+"."+words, ".")
	rest := strings.ToLower(words) // assert.True: true is a keyword
	for rest != "" {
		if verb := verbNamed(rest, c.spy != nil); verb != nil && n.verb == nil {
			n.verb = verb
			return &n, true
		}
		word, after, _ := strings.Cut(rest, "_")
		switch {
		case slices.Contains(negations, word):
			n.negated = !n.negated
		case !slices.Contains(fillers, word):
			return nil, false
		}
		rest = after
	}
	return &n, n.verb == nil
}

func (w *asserts) value(c *chain) lua.LValue {
	if w.chainMeta == nil {
		w.chainMeta = w.flow.state.Main().CreateTable(0, 4)
		w.chainMeta.RawSetString("__index", w.flow.state.Func("assert", w.index))
		w.chainMeta.RawSetString("__call", w.flow.state.Func("assert", w.call))
		w.chainMeta.RawSetString("__metatable", lua.LString("assert"))
	}
	return &lua.LUserData{Value: c, Metatable: w.chainMeta}
}

// index is the next word.
func (w *asserts) index(L *lua.LState) int {
	c, _ := held[*chain](L.Get(1))
	words := keyText(L.Get(2))
	if c.matcher && words == "_" {
		L.Push(w.matcher(&matcher{text: "match._", holds: func(lua.LValue) bool { return true }}))
		return 1
	}
	next, known := c.say(words)
	if !known && c.spy == nil && verbNamed(plainWords(words), true) != nil {
		vm.Throwf(L, 1, "%s has no '%s': that is said of a spy, as in assert.spy(s).was.%s(…)", c.luaKind(), words, plainWords(words))
	}
	if !known {
		vm.Throwf(L, 1, "%s has no '%s'%s", c.luaKind(), words, Suggest(plainWords(words), verbNames(c.spy != nil)))
	}
	L.Push(w.value(next))
	return 1
}

// plainWords takes the fillers away, for a suggestion.
func plainWords(words string) string {
	for {
		word, rest, more := strings.Cut(words, "_")
		if !more || !slices.Contains(fillers, word) && !slices.Contains(negations, word) {
			return words
		}
		words = rest
	}
}

// call checks what has been said.
func (w *asserts) call(L *lua.LState) int {
	c, _ := held[*chain](L.Get(1))
	args := arguments(L, 2)
	switch {
	case c.verb == nil && c.said == "" && !c.matcher:
		return w.plain(L, args)
	case c.verb == nil:
		vm.Throwf(L, 1, "%s says nothing to check: %s.equal(…), for instance", c.luaKind(), c.luaKind())
	case c.matcher:
		L.Push(w.matcherOf(L, c, args))
		return 1
	}
	if c.verb.subject {
		s, is := held[*spy](first(args))
		if !is {
			vm.Throwf(L, 1, "%s expects a spy or a stub, got %s; make one with spy.on, spy.new, stub or flow.test.stub", c.luaKind(), describe(first(args)))
		}
		L.Push(w.value(&chain{said: c.said, spy: s}))
		return 1
	}
	v := &verdict{asserts: w, L: L, chain: c, args: args}
	v.needs(c.verb)
	holds := c.verb.check(v)
	if holds == c.negated {
		w.fail(L, v.message(), v.expected, v.got)
	}
	return push(L, v.results)
}

// plain is Lua's own assert, but for the place of the error.
func (w *asserts) plain(L *lua.LState, args []lua.LValue) int {
	if len(args) == 0 {
		vm.Throwf(L, 1, "assert expects a value to check, got nothing")
	}
	if lua.LVAsBool(args[0]) {
		return push(L, args)
	}
	switch message := lua.LValue(lua.LNil); {
	case len(args) > 1:
		message = args[1]
		if _, is := message.(lua.LString); !is {
			vm.Throw(L, message)
		}
		w.fail(L, message.String(), nil, nil)
	default:
		w.fail(L, "assertion failed!", nil, nil)
	}
	return 0
}

// fail raises an AssertionError at the line of the spec.
func (w *asserts) fail(L *lua.LState, message string, expected, got lua.LValue) {
	f := w.flow
	e := &Error{Name: nameAssertion, Message: message, Retryable: new(bool), site: f.site()}
	if expected != nil && got != nil {
		details := L.CreateTable(0, 2)
		details.RawSetString("expected", expected)
		details.RawSetString("got", got)
		if _, err := f.state.Encode(details, "details"); err == nil {
			e.details.lua = details
		}
	}
	f.errors.finish(e)
	vm.Throw(L, f.errors.of(e))
}
