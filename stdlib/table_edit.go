package stdlib

import lua "github.com/yuin/gopher-lua"

// valueBytes is the memory of one slot of a table's array.
const valueBytes = 16

func (l *tableLibrary) insert(L *lua.LState) int {
	t := l.table(L, 1)
	next := int64(l.state.Length(t)) + 1
	switch L.GetTop() {
	case 2:
		if value := L.Get(2); value != lua.LNil {
			l.state.Charge(1)
			l.state.Grow(t, next)
			t.RawSet(lua.LNumber(next), value)
		}
	case 3:
		l.insertAt(t, next, l.integer(L, 2), L.Get(3))
	default:
		throw(L, "wrong number of arguments to 'insert'")
	}
	return 0
}

func (l *tableLibrary) insertAt(t *lua.LTable, next, at int64, value lua.LValue) {
	switch {
	case at >= next:
		l.put(t, at, value)
	case at >= 1:
		l.chargeBytes(valueBytes * int(next-at))
		l.state.Grow(t, next)
		t.Insert(int(at), value)
	default:
		// Outside of the array Lua moves every key, one by one.
		for i := next; i > at; i-- {
			l.state.Charge(4)
			l.put(t, i, item(t, i-1))
		}
		l.put(t, at, value)
	}
}

func (l *tableLibrary) remove(L *lua.LState) int {
	t := l.table(L, 1)
	n := int64(l.state.Length(t))
	at := l.optionalInteger(L, 2, n)
	if at < 1 || at > n {
		return 0
	}
	l.chargeBytes(valueBytes * int(n-at))
	L.Push(t.Remove(int(at)))
	return 1
}

// put is t[i] = value, raw. A value far behind the end of the list fills the array up to it with nil, which is
// charged; a nil there changes nothing.
func (l *tableLibrary) put(t *lua.LTable, i int64, value lua.LValue) {
	if value == lua.LNil && item(t, i) == lua.LNil {
		return
	}
	l.state.Grow(t, i)
	t.RawSet(lua.LNumber(i), value)
}
