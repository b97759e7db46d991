package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// matcher stands for any value that it holds of, where a value is expected.
type matcher struct {
	text  string
	holds func(lua.LValue) bool
}

func (m *matcher) luaKind() string     { return m.text }
func (m *matcher) cannotLeave() string { return m.text + " cannot leave the test" }

// openMatchers makes the global match: match.is_string(), match.is_not_nil(), match._.
func (w *asserts) openMatchers(g *lua.LTable) {
	g.RawSetString("match", w.value(&chain{matcher: true}))
}

func (w *asserts) matcher(m *matcher) lua.LValue {
	return value(w.flow.types.matcher, m)
}

// matcherOf makes a matcher of an assertion: what is asserted of is its last argument.
func (w *asserts) matcherOf(L *lua.LState, c *chain, args []lua.LValue) lua.LValue {
	verb := c.verb
	if verb.subject || verb.name == "error" || verb.name == "errors" {
		vm.Throwf(L, 1, "%s cannot be a matcher: only what speaks of a value can", c.luaKind())
	}
	at := 1 // where the value goes
	if verb.args == 1 {
		at = 0
	}
	if len(args) < verb.args-1 {
		vm.Throwf(L, 1, "%s expects %d arguments, got %d", c.luaKind(), verb.args-1, len(args))
	}
	v := verdict{asserts: w, L: L, chain: c}
	text := c.luaKind() + v.showAll(args)
	return w.matcher(&matcher{text: text, holds: func(got lua.LValue) bool {
		own := append(append(append([]lua.LValue{}, args[:min(at, len(args))]...), got), args[min(at, len(args)):]...)
		v := &verdict{asserts: w, L: L, chain: c, args: own}
		return verb.check(v) != c.negated
	}})
}
