package vm

import (
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// commonGlobals is how many globals there is room for at first: those of every script and some of its own.
const commonGlobals = 54

// baseModel has the functions of the base library.
func baseModel() *lua.LTable {
	g := NewTable()
	reserve(g, commonGlobals)
	addBuiltins(g, map[string]Builtin{
		"assert":         (*State).assert,
		"collectgarbage": stateless(collectGarbage),
		"error":          (*State).raiseError,
		"gcinfo":         stateless(collectGarbage),
		"getmetatable":   stateless(getMetatable),
		"ipairs":         (*State).ipairs,
		"load":           (*State).load,
		"loadstring":     (*State).loadString,
		"newproxy":       (*State).newProxy,
		"pairs":          (*State).pairs,
		"pcall":          (*State).pcall,
		"print":          (*State).print,
		"rawequal":       stateless(rawEqual),
		"rawget":         stateless(rawGet),
		"rawset":         stateless(rawSet),
		"select":         stateless(selectArgs),
		"setmetatable":   (*State).setMetatable,
		"tonumber":       (*State).toNumberArg,
		"tostring":       (*State).tostring,
		"type":           stateless(typeName),
		"unpack":         (*State).unpack,
		"xpcall":         (*State).xpcall,
		"next":           (*State).next, // each state has one of its own
		"getfenv":        (*State).getEnvironment,
		"setfenv":        (*State).setEnvironment,
		"require":        (*State).require,
		"module":         (*State).module,
	})
	g.RawSetString("type", quicken(g.RawGetString("type").(*lua.LFunction), quickType))
	g.RawSetString("_VERSION", lua.LString("Lua 5.1"))
	return g
}

// openBase fills the globals.
func (s *State) openBase() {
	m, g := s.models, s.Globals()
	copyFields(g, m.globals)
	s.nextFunc, s.stepFunc = quicken(m.next, s.quickNext), quicken(m.step, s.quickStep)
	g.RawSetString("next", s.nextFunc)
	g.RawSetString("_G", g)
	s.lazyCopy("coroutine", m.coroutine, nil)
	s.lazyCopy("debug", m.debug, nil)
	s.setStringMetatable(Copy(m.strings))
}

func checkAny(l *lua.LState, n int) lua.LValue {
	if l.GetTop() < n {
		l.ArgError(n, "value expected")
	}
	return l.Get(n)
}

func (s *State) assert(l *lua.LState) int {
	if lua.LVAsBool(checkAny(l, 1)) {
		return l.GetTop()
	}
	if l.GetTop() < 2 || l.Get(2) == lua.LNil {
		Throwf(l, 1, "assertion failed!")
	}
	if text, ok := plainText(l.Get(2)); ok {
		Throwf(l, 1, "%s", text)
	}
	Throw(l, l.Get(2))
	return 0
}

// deepestLevel is deeper than any stack.
const deepestLevel = 1e6

// raiseError is error(value, level).
func (s *State) raiseError(l *lua.LState) int {
	v := l.Get(1)
	level := min(optionalInt(l, 2, 1), deepestLevel)
	if text, ok := plainText(v); ok && level > 0 {
		v = lua.LString(s.where(l, level) + text)
	}
	Throw(l, v)
	return 0
}

func collectGarbage(l *lua.LState) int {
	// What is used depends on the host, so scripts see nothing of it.
	option := optionalText(l, 1, "collect")
	switch option {
	case "step":
		l.Push(lua.LFalse)
		return 1
	case "collect", "count", "stop", "restart", "setpause", "setstepmul":
		l.Push(lua.LNumber(0))
		return 1
	}
	l.ArgError(1, "invalid option '"+option+"'")
	return 0
}

// proxy is what newproxy makes, as opposed to the host's values.
type proxy struct{}

// newProxy is newproxy(true), newproxy(false) and newproxy(proxy): a value without fields that has a metatable of its own,
// none, or the other's.
func (s *State) newProxy(l *lua.LState) int {
	s.Charge(newTableCost)
	p := &lua.LUserData{Value: proxy{}}
	switch v := l.Get(1).(type) {
	case *lua.LUserData:
		if _, is := v.Value.(proxy); !is || v.Metatable == lua.LNil {
			l.ArgError(1, "boolean or proxy expected")
		}
		p.Metatable = v.Metatable
	default:
		p.Metatable = lua.LNil
		if lua.LVAsBool(v) {
			if v != lua.LTrue {
				l.ArgError(1, "boolean or proxy expected")
			}
			s.Charge(newTableCost)
			p.Metatable = l.CreateTable(0, 0)
		}
	}
	l.Push(p)
	return 1
}

func getMetatable(l *lua.LState) int {
	v := checkAny(l, 1)
	if t, ok := v.(*lua.LTable); ok {
		Of(l).Complete(t)
	}
	if p := l.GetMetaField(v, "__metatable"); p != lua.LNil {
		l.Push(p)
		return 1
	}
	l.Push(l.GetMetatable(v))
	return 1
}

func (s *State) setMetatable(l *lua.LState) int {
	t := l.CheckTable(1)
	mt := l.Get(2)
	if mt != lua.LNil && mt.Type() != lua.LTTable || l.GetTop() < 2 {
		l.ArgError(2, "nil or table expected")
	}
	s.Complete(t)
	if l.GetMetaField(t, "__metatable") != lua.LNil {
		Throwf(l, 1, "cannot change a protected metatable")
	}
	t.Metatable = mt
	l.Push(t)
	return 1
}

func rawEqual(l *lua.LState) int {
	checkAny(l, 1)
	checkAny(l, 2)
	Of(l).chargeKey(l.Get(1))
	l.Push(lua.LBool(l.RawEqual(l.Get(1), l.Get(2))))
	return 1
}

func rawGet(l *lua.LState) int {
	t := l.CheckTable(1)
	Of(l).Complete(t)
	Of(l).chargeKey(l.Get(2))
	l.Push(t.RawGet(checkAny(l, 2)))
	return 1
}

func rawSet(l *lua.LState) int {
	t := l.CheckTable(1)
	checkAny(l, 2)
	checkAny(l, 3)
	Of(l).Complete(t)
	if i, ok := l.Get(2).(lua.LNumber); ok && i == lua.LNumber(int64(i)) {
		Of(l).Grow(t, int64(i))
	}
	Of(l).chargeKey(l.Get(2))
	before := len(inside(t).keys)
	l.RawSet(t, l.Get(2), l.Get(3))
	Of(l).chargeKeys(t, before)
	l.Push(t)
	return 1
}

func selectArgs(l *lua.LState) int {
	n := l.GetTop()
	if l.Get(1) == lua.LString("#") {
		l.Push(lua.LNumber(n - 1))
		return 1
	}
	i := intArgument(l, 1)
	switch {
	case i < 0:
		i = n + i
	case i > n:
		i = n
	}
	if i < 1 {
		l.ArgError(1, "index out of range")
	}
	return n - i
}

func (s *State) toNumberArg(l *lua.LState) int {
	s.chargeDigits(l.Get(1))
	base := optionalInt(l, 2, 10)
	if base == 10 {
		if f, ok := ToNumber(checkAny(l, 1)); ok {
			l.Push(lua.LNumber(f))
		} else {
			l.Push(lua.LNil)
		}
		return 1
	}
	text := textArgument(l, 1)
	if base < 2 || base > 36 {
		l.ArgError(2, "base out of range")
	}
	if f, ok := ParseInteger(text, base); ok {
		l.Push(lua.LNumber(f))
	} else {
		l.Push(lua.LNil)
	}
	return 1
}

func typeName(l *lua.LState) int {
	l.Push(lua.LString(checkAny(l, 1).Type().String()))
	return 1
}

func (s *State) unpack(l *lua.LState) int {
	t := l.CheckTable(1)
	first := optionalInt(l, 2, 1)
	last := 0
	if l.Get(3) == lua.LNil {
		last = s.Length(t)
	} else {
		last = intArgument(l, 3)
	}
	if first > last {
		return 0
	}
	if last-first >= maxValues {
		Throwf(l, 1, "too many results to unpack")
	}
	n := last - first + 1
	s.Charge(int64(n))
	for i := range n {
		l.Push(t.RawGetInt(first + i))
	}
	return n
}

func (s *State) print(l *lua.LState) int {
	var b strings.Builder
	for i, n := 1, l.GetTop(); i <= n; i++ {
		if i > 1 {
			b.WriteByte('\t')
		}
		text, ok := plainText(s.text(l, l.Get(i)))
		if !ok {
			Throwf(l, 1, "'tostring' must return a string to 'print'")
		}
		s.ChargeOutput(len(text))
		b.WriteString(text)
	}
	s.ChargeOutput(1)
	if s.config.Print != nil {
		s.config.Print(b.String())
	}
	return 0
}

func (s *State) tostring(l *lua.LState) int {
	l.Push(s.text(l, checkAny(l, 1)))
	return 1
}

// ToString is what tostring gives: __tostring, numbers as Lua writes them, and for values without a text their kind and a
// number that counts within the run.
func (s *State) ToString(l *lua.LState, v lua.LValue) string {
	text, ok := plainText(s.text(l, v))
	if !ok {
		Throwf(l, 1, "'tostring' must return a string")
	}
	return text
}

func (s *State) text(l *lua.LState, v lua.LValue) lua.LValue {
	switch v := v.(type) {
	case lua.LString:
		return v
	case lua.LNumber:
		s.Charge(numberCost)
		return lua.LString(FormatNumber(float64(v)))
	case lua.LBool:
		return lua.LString(strconv.FormatBool(bool(v)))
	case *lua.LNilType:
		return lua.LString("nil")
	}
	if op := l.GetMetaField(v, "__tostring"); op != lua.LNil {
		if kind := notCallable(l, op); kind != "" {
			Throw(l, lua.LString("attempt to call a "+kind+" value"))
		}
		l.Push(op)
		l.Push(v)
		l.Call(1, 1)
		out := l.Get(-1)
		l.Pop(1)
		return out
	}
	s.Charge(identityCost)
	return lua.LString(s.ids.text(v))
}
