package vm

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// store is OP_SETTABLE: t[k] = v.
func store(l *lua.LState, code uint32, base unsafe.Pointer) int {
	b, ok := l.Context().(*budget)
	if !ok {
		return plainStore(l, code, base)
	}
	t, ok := l.Get(regA(code) + 1).(*lua.LTable)
	if !ok {
		return plainStore(l, code, base)
	}
	s := b.state
	switch k := s.operand(l, rkB(code)).(type) {
	case lua.LNumber:
		if int(k) > len(inside(t).array) && !s.room(l, t, k, code) {
			return 0
		}
	case lua.LString:
		s.chargeKey(k)
		s.chargeHops(t, k)
		prepareField(t)
	}
	before := len(inside(t).keys)
	plainStore(l, code, base)
	s.chargeKeys(t, before)
	return 0
}

// setField is OP_SETTABLEKS: t.k = v.
func setField(l *lua.LState, code uint32, base unsafe.Pointer) int {
	b, ok := l.Context().(*budget)
	if !ok {
		return plainSetField(l, code, base)
	}
	t, ok := l.Get(regA(code) + 1).(*lua.LTable)
	if !ok {
		return plainSetField(l, code, base)
	}
	if t.Metatable != lua.LNil {
		b.state.chargeHops(t, b.state.operand(l, rkB(code)))
	}
	prepareField(t)
	before := len(inside(t).keys)
	plainSetField(l, code, base)
	b.state.chargeKeys(t, before)
	return 0
}

// setGlobal is OP_SETGLOBAL.
func setGlobal(l *lua.LState, code uint32, base unsafe.Pointer) int {
	if fn := runningFunction(l); fn != nil {
		s := Of(l)
		s.chargeKey(fn.Proto.Constants[code&0x3ffff])
		if fn.Env.Metatable != lua.LNil {
			s.chargeHops(fn.Env, s.operand(l, 256+int(code&0x3ffff)))
		}
		before := len(inside(fn.Env).keys)
		plainSetGlobal(l, code, base)
		s.chargeKeys(fn.Env, before)
		return 0
	}
	return plainSetGlobal(l, code, base)
}

// prepareField makes the part of a table that has fields, which gopher-lua would make for 32 of them.
func prepareField(t *lua.LTable) {
	if in := inside(t); in.strdict == nil && bare(in.meta) {
		in.strdict = map[string]lua.LValue{}
	}
}

// chargeKeys pays for keys that a table has got.
func (s *State) chargeKeys(t *lua.LTable, before int) {
	if len(inside(t).keys) == before {
		return
	}
	if before == 0 {
		s.budget.charge(firstKeyCost)
	} else {
		s.budget.charge(nextKeyCost)
	}
}

// chargeHops pays for the tables that a store passes, each the __newindex of the one before.
func (s *State) chargeHops(t *lua.LTable, k lua.LValue) {
	for range lua.MaxTableGetLoop {
		m, ok := t.Metatable.(*lua.LTable)
		if !ok {
			return
		}
		other, ok := m.RawGetString("__newindex").(*lua.LTable)
		if !ok || k == nil || t.RawGet(k) != lua.LNil {
			return
		}
		s.budget.charge(hopCost)
		t = other
	}
}

// room charges for a store behind the end of an array; false: it is a nil, which would only fill the array with more.
func (s *State) room(l *lua.LState, t *lua.LTable, k lua.LNumber, code uint32) bool {
	plain := true
	for range lua.MaxTableGetLoop {
		if t.Metatable == lua.LNil || t.Metatable == nil || t.RawGet(k) != lua.LNil {
			break
		}
		next := l.GetMetaField(t, "__newindex")
		if next == lua.LNil {
			break
		}
		other, ok := next.(*lua.LTable)
		if !ok {
			return true // a function stores
		}
		s.budget.charge(hopCost)
		t, plain = other, false
	}
	if plain && s.operand(l, rkC(code)) == lua.LNil {
		return lua.LNumber(int(k)) != k || int(k) >= lua.MaxArrayIndex
	}
	s.Grow(t, int64(k))
	return true
}
