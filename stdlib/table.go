package stdlib

import (
	"github.com/flowlua/flowlua/vm"
	lua "github.com/yuin/gopher-lua"
)

// OpenTable installs `table`: Lua 5.1's library with a stable sort, plus pack and unpack. Its functions
// are raw, as in 5.1: they look at no metamethod except those of the values that sort compares.
func OpenTable(s *vm.State) {
	l := &tableLibrary{bounds{s}}
	L := s.Main()
	t := L.CreateTable(0, 16)
	s.SetFuncs(t, map[string]lua.LGFunction{
		"concat":   l.concat,
		"foreach":  l.foreach,
		"foreachi": l.foreachi,
		"getn":     l.getn,
		"insert":   l.insert,
		"maxn":     l.maxn,
		"pack":     l.pack,
		"remove":   l.remove,
		"setn":     l.setn,
		"sort":     l.sort,
	})
	t.RawSetString("unpack", L.GetGlobal("unpack"))
	L.SetGlobal("table", t)
}

type tableLibrary struct{ bounds }

// item is t[i], raw.
func item(t *lua.LTable, i int64) lua.LValue { return t.RawGet(lua.LNumber(i)) }

func (l *tableLibrary) getn(L *lua.LState) int {
	L.Push(lua.LNumber(l.state.Length(l.table(L, 1))))
	return 1
}

func (l *tableLibrary) setn(L *lua.LState) int {
	l.table(L, 1)
	throw(L, "'setn' is obsolete")
	return 0
}

func (l *tableLibrary) maxn(L *lua.LState) int {
	t := l.table(L, 1)
	most := lua.LNumber(0)
	for key, _ := t.Next(lua.LNil); key != lua.LNil; key, _ = t.Next(key) {
		l.state.Charge(2)
		if n, ok := key.(lua.LNumber); ok && n > most {
			most = n
		}
	}
	L.Push(most)
	return 1
}

func (l *tableLibrary) pack(L *lua.LState) int {
	n := L.GetTop()
	l.chargeBytes(valueBytes * n)
	t := L.CreateTable(n, 1)
	for i := 1; i <= n; i++ {
		t.RawSetInt(i, L.Get(i))
	}
	t.RawSetString("n", lua.LNumber(n))
	L.Push(t)
	return 1
}

func (l *tableLibrary) foreach(L *lua.LState) int {
	t := l.table(L, 1)
	fn := l.function(L, 2)
	for key, value := t.Next(lua.LNil); key != lua.LNil; key, value = t.Next(key) {
		if stop := l.visit(L, fn, key, value); stop != lua.LNil {
			L.Push(stop)
			return 1
		}
	}
	return 0
}

func (l *tableLibrary) foreachi(L *lua.LState) int {
	t := l.table(L, 1)
	fn := l.function(L, 2)
	for i, n := 1, l.state.Length(t); i <= n; i++ {
		if stop := l.visit(L, fn, lua.LNumber(i), t.RawGetInt(i)); stop != lua.LNil {
			L.Push(stop)
			return 1
		}
	}
	return 0
}

// What these take, in instructions.
const (
	visitCost  = 3 // a call of the script's function
	numberCost = 5 // writing a number
)

// visit calls fn(key, value) and gives its first result.
func (l *tableLibrary) visit(L *lua.LState, fn *lua.LFunction, key, value lua.LValue) lua.LValue {
	l.state.Charge(visitCost)
	L.Push(fn)
	L.Push(key)
	L.Push(value)
	L.Call(2, 1)
	result := L.Get(-1)
	L.Pop(1)
	return result
}

func (l *tableLibrary) concat(L *lua.LState) int {
	separator := ""
	if L.Get(2) != lua.LNil {
		separator = l.text(L, 2)
	}
	t := l.table(L, 1)
	i := l.optionalInteger(L, 3, 1)
	last := l.optionalInteger(L, 4, int64(l.state.Length(t)))
	var out []byte
	for ; i <= last; i++ {
		switch value := item(t, i).(type) {
		case lua.LString:
			out = l.add(out, string(value))
		case lua.LNumber:
			l.state.Charge(numberCost)
			out = l.add(out, numberText(value))
		default:
			throw(L, "invalid value (%s) at index %d in table for 'concat'", value.Type(), i)
		}
		if i == last {
			break
		}
		out = l.add(out, separator)
		l.state.Charge(1)
	}
	return l.result(L, out)
}
