package vm

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// A table's field may be looked for in a hundred tables, each the __index of the one before, within one instruction. So such
// a walk is made here, where each table is paid for; what is no chain of tables is left to gopher-lua.

// getField is OP_GETTABLEKS: t.k.
func getField(l *lua.LState, code uint32, base unsafe.Pointer) int {
	if from := start(l, l.Get(rkB(code)+1)); from != nil && found(l, from, rkC(code), regA(code), nil) {
		return 0
	}
	return plainGetField(l, code, base)
}

// getTable is OP_GETTABLE: t[k].
func getTable(l *lua.LState, code uint32, base unsafe.Pointer) int {
	if b, ok := l.Context().(*budget); ok {
		b.state.chargeKey(b.state.operand(l, rkC(code)))
	}
	if from := start(l, l.Get(rkB(code)+1)); from != nil && found(l, from, rkC(code), regA(code), nil) {
		return 0
	}
	return plainGetTable(l, code, base)
}

// self is OP_SELF: t:k.
func self(l *lua.LState, code uint32, base unsafe.Pointer) int {
	object := l.Get(rkB(code) + 1)
	if b, ok := l.Context().(*budget); ok {
		b.state.chargeKey(b.state.operand(l, rkC(code)))
	}
	if from := start(l, object); from != nil && found(l, from, rkC(code), regA(code), object) {
		return 0
	}
	return plainSelf(l, code, base)
}

// getGlobal is OP_GETGLOBAL.
func getGlobal(l *lua.LState, code uint32, base unsafe.Pointer) int {
	if fn := runningFunction(l); fn != nil {
		Of(l).chargeKey(fn.Proto.Constants[code&0x3ffff])
		if fn.Env.Metatable != lua.LNil {
			if from := start(l, fn.Env); from != nil && found(l, from, 256+int(code&0x3ffff), regA(code), nil) {
				return 0
			}
		}
	}
	return plainGetGlobal(l, code, base)
}

// start is the table whose metatable says where to look on; nil: there is none.
func start(l *lua.LState, v lua.LValue) *lua.LTable {
	var metatable lua.LValue
	switch v := v.(type) {
	case *lua.LTable:
		if v.Metatable == lua.LNil || v.Metatable == nil {
			return nil
		}
		return v
	case *lua.LUserData:
		metatable = v.Metatable
	default:
		metatable = l.GetMetatable(v)
	}
	if t, ok := metatable.(*lua.LTable); ok {
		if first, ok := t.RawGetString("__index").(*lua.LTable); ok && first.Metatable != lua.LNil && first.Metatable != nil {
			return first
		}
	}
	return nil
}

// found looks from a table on for the key in a register or constant and puts what it finds, which may be nil, into a
// register, and object behind it if that is not nil. It leaves to gopher-lua what is not a chain of tables.
func found(l *lua.LState, t *lua.LTable, key, register int, object lua.LValue) bool {
	b, ok := l.Context().(*budget)
	if !ok {
		return false
	}
	s := b.state
	k := s.operand(l, key)
	if k == nil {
		return false
	}
	for hops := int64(0); hops < int64(lua.MaxTableGetLoop); hops++ {
		v := t.RawGet(k)
		if v == lua.LNil {
			next := indexOf(t)
			if other, ok := next.(*lua.LTable); ok {
				t = other
				continue
			}
			if next != lua.LNil {
				s.Charge(hops*hopCost + metaCost)
				return false
			}
		}
		s.Charge(hops * hopCost)
		return s.put(register, v, object)
	}
	s.Charge(int64(lua.MaxTableGetLoop) * hopCost)
	return false
}

func indexOf(t *lua.LTable) lua.LValue {
	if m, ok := t.Metatable.(*lua.LTable); ok {
		return m.RawGetString("__index")
	}
	return lua.LNil
}

// put sets a register of the running function, and the next if more is not nil.
func (s *State) put(register int, v, more lua.LValue) bool {
	t := s.top
	at := (*frame)(*t.frame).localBase + register
	if at+1 >= t.reg.top { // gopher-lua knows how to grow
		return false
	}
	t.reg.array[at] = v
	if more != nil {
		t.reg.array[at+1] = more
	}
	return true
}

// runningFunction is the function that an instruction belongs to, nil if that is not known.
func runningFunction(l *lua.LState) *lua.LFunction {
	if b, ok := l.Context().(*budget); ok {
		if t := b.state.top; t != nil && t.l == l && t.frame != nil {
			return (*frame)(*t.frame).fn
		}
	}
	return nil
}
