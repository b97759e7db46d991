package vm

import lua "github.com/yuin/gopher-lua"

// pairs and ipairs hand out the functions that they iterate with, the same each time.

func (s *State) pairs(l *lua.LState) int {
	t := l.CheckTable(1)
	s.Complete(t)
	l.Push(s.nextFunc)
	l.Push(t)
	l.Push(lua.LNil)
	return 3
}

func (s *State) ipairs(l *lua.LState) int {
	t := l.CheckTable(1)
	l.Push(s.stepFunc)
	l.Push(t)
	l.Push(lua.LNumber(0))
	return 3
}

// nextItem gives ipairs the next item.
func nextItem(l *lua.LState) int {
	t := l.CheckTable(1)
	i := lua.LNumber(intArgument(l, 2) + 1)
	v := t.RawGet(i)
	if v == lua.LNil {
		return 0
	}
	l.Push(i)
	l.Push(v)
	return 2
}

func (s *State) next(l *lua.LState) int {
	t := l.CheckTable(1)
	s.Complete(t)
	key := l.Get(2)
	s.chargeKey(key)
	if key != lua.LNil && !hasHad(t, key) {
		Throw(l, lua.LString("invalid key to 'next'"))
	}
	k, v := t.Next(behindEnd(t, key))
	if key == lua.LNil {
		s.Charge(passed(t, k))
	}
	if k == lua.LNil {
		l.Push(lua.LNil)
		return 1
	}
	l.Push(k)
	l.Push(v)
	return 2
}

// passed is what finding the first key cost: those without a value are passed over each time.
func passed(t *lua.LTable, k lua.LValue) int64 {
	in := inside(t)
	if i, ok := k.(lua.LNumber); ok && i > 0 && int(i) <= len(in.array) {
		return int64(i) / 2
	}
	if len(in.keys) == 0 {
		return int64(len(in.array)) / 2
	}
	if k == lua.LNil {
		return int64(len(in.array))/2 + int64(len(in.keys))
	}
	return int64(len(in.array))/2 + int64(in.k2i[k])
}

// behindEnd is the key to go on from. An index may lie behind the end of a list that has become shorter meanwhile;
// gopher-lua would take it for a key that it does not know.
func behindEnd(t *lua.LTable, key lua.LValue) lua.LValue {
	i, ok := key.(lua.LNumber)
	if !ok || i < 1 || i >= lua.LNumber(lua.MaxArrayIndex) || i != lua.LNumber(int(i)) || t.RawGetInt(int(i)) != lua.LNil {
		return key
	}
	switch n := t.Len(); {
	case int(i) <= n:
		return key
	case n == 0:
		return lua.LNil
	default:
		return lua.LNumber(n)
	}
}
