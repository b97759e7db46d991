package vm

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// One unit of Limits.Instructions is about the time of one plain instruction, 20 to 60 ns. These instructions can take much
// longer: they compare or hash texts, make tables, and go through chains of metatables. They pay for that besides.

const (
	otherCost    = 3  // of an instruction that is left to gopher-lua
	goCallCost   = 3  // of a call of a Go function
	newTableCost = 16 // of {}
	firstKeyCost = 32
	nextKeyCost  = 48
	hopCost      = 3  // from one table to the next by its metatable
	numberCost   = 18 // of writing a number
	identityCost = 40 // of writing a table's number
	closureCost  = 40
	powCost      = 30
	pcallCost    = 10
	metaCost     = 8  // of calling a metamethod
	freeText     = 64 // bytes of a text whose hash or comparison is part of the instruction

	copiedPerCharge   = 40 // bytes
	hashedPerCharge   = 128
	digitsPerCharge   = 2
	comparedPerCharge = 12
	valuesPerCharge   = 2 // that go from one thread to another
)

func rkB(code uint32) int  { return int(code & 0x1ff) }
func rkC(code uint32) int  { return int(code>>9) & 0x1ff }
func regA(code uint32) int { return int(code>>18) & 0xff }

// equal is OP_EQ.
func equal(l *lua.LState, code uint32, base unsafe.Pointer) int {
	if b, ok := l.Context().(*budget); ok {
		if x, ok := b.state.operand(l, rkB(code)).(lua.LString); ok && len(x) > freeText {
			if y, ok := b.state.operand(l, rkC(code)).(lua.LString); ok && len(x) == len(y) {
				b.charge(int64(len(x) / hashedPerCharge))
			}
		}
	}
	return plainEqual(l, code, base)
}

// less is OP_LT, and lessEqual OP_LE: texts are compared byte by byte, as far as they are the same.
func less(l *lua.LState, code uint32, base unsafe.Pointer) int {
	chargeOrder(l, code)
	return plainLess(l, code, base)
}

func lessEqual(l *lua.LState, code uint32, base unsafe.Pointer) int {
	chargeOrder(l, code)
	return plainLessEqual(l, code, base)
}

func chargeOrder(l *lua.LState, code uint32) {
	if b, ok := l.Context().(*budget); ok {
		if x, ok := b.state.operand(l, rkB(code)).(lua.LString); ok && len(x) > freeText {
			if y, ok := b.state.operand(l, rkC(code)).(lua.LString); ok {
				b.state.ChargeOrder(string(x), string(y))
			}
		}
	}
}

// ChargeOrder pays for finding out which of two texts comes first.
func (s *State) ChargeOrder(a, b string) {
	const step = 256
	same := 0
	for n := min(len(a), len(b)); same+step <= n && a[same:same+step] == b[same:same+step]; {
		same += step
	}
	s.budget.charge(int64(same / comparedPerCharge))
}

// chargeKey pays for looking a key up.
func (s *State) chargeKey(k lua.LValue) {
	if text, ok := k.(lua.LString); ok && len(text) > freeText {
		s.budget.charge(int64(len(text) / hashedPerCharge))
	}
}

// chargeDigits pays for reading a number.
func (s *State) chargeDigits(v lua.LValue) {
	if text, ok := v.(lua.LString); ok {
		s.budget.charge(numberCost + int64(len(text)/digitsPerCharge))
	}
}

// newTable is OP_NEWTABLE.
func newTable(l *lua.LState, code uint32, base unsafe.Pointer) int {
	if b, ok := l.Context().(*budget); ok {
		b.charge(newTableCost + int64(rkB(code)/8))
	}
	return plainNewTable(l, code, base)
}

// loadNil is OP_LOADNIL, of up to 200 registers.
func loadNil(l *lua.LState, code uint32, base unsafe.Pointer) int {
	if n := rkB(code) - regA(code); n >= 8 {
		if b, ok := l.Context().(*budget); ok {
			b.charge(int64(n / 8))
		}
	}
	return plainLoadNil(l, code, base)
}

// setList is OP_SETLIST: up to 50 items of a constructor, or all that a call or "..." gave.
func setList(l *lua.LState, code uint32, base unsafe.Pointer) int {
	if b, ok := l.Context().(*budget); ok {
		if n := int64(rkB(code)); n > 0 {
			b.charge(n / 2)
		} else {
			b.charge(2 * b.state.above(l, regA(code)))
		}
	}
	return plainSetList(l, code, base)
}

// vararg is OP_VARARG: "...".
func vararg(l *lua.LState, code uint32, base unsafe.Pointer) int {
	b, ok := l.Context().(*budget)
	if ok && rkB(code) == 0 {
		b.state.widen(l)
	}
	plainVararg(l, code, base)
	if ok && rkB(code) == 0 {
		b.charge(b.state.above(l, regA(code)))
	}
	return 0
}

// widen has the registers grow by half when there are many: gopher-lua adds the same number each time, which takes square time.
func (s *State) widen(l *lua.LState) {
	if t := s.top; t != nil && t.l == l && t.reg != nil {
		t.reg.growBy = max(t.reg.growBy, t.reg.top/2)
	}
}

// above is how many registers there are above one.
func (s *State) above(l *lua.LState, register int) int64 {
	if t := s.top; t != nil && t.l == l && t.frame != nil {
		return int64(t.reg.top - (*frame)(*t.frame).localBase - register)
	}
	return 0
}

// closure is OP_CLOSURE.
func closure(l *lua.LState, code uint32, base unsafe.Pointer) int {
	if b, ok := l.Context().(*budget); ok {
		b.charge(closureCost)
	}
	return plainClosure(l, code, base)
}
