package vm

import (
	"math"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// gopher-lua's * and / lose the sign of zero, because it keeps small numbers ready and takes minus zero for zero; and its unary
// minus gives __unm one operand, where Lua gives it twice. These instructions are entered in its table as those of interpreter.go
// are.

var (
	plainMultiply = instructions[lua.OP_MUL]
	plainDivide   = instructions[lua.OP_DIV]
	plainNegate   = instructions[lua.OP_UNM]
	zeroHooked    = hookZero()
)

func hookZero() bool {
	if !hooked {
		return false
	}
	instructions[lua.OP_MUL], instructions[lua.OP_DIV], instructions[lua.OP_UNM] = multiply, divide, negate
	return true
}

var minusZero = lua.LValue(lua.LNumber(math.Copysign(0, -1)))

func multiply(l *lua.LState, code uint32, base unsafe.Pointer) int {
	return signed(l, code, base, plainMultiply, func(a, b lua.LNumber) lua.LNumber { return a * b })
}

func divide(l *lua.LState, code uint32, base unsafe.Pointer) int {
	return signed(l, code, base, plainDivide, func(a, b lua.LNumber) lua.LNumber { return a / b })
}

// signed runs an instruction and gives its zero the sign.
func signed(l *lua.LState, code uint32, base unsafe.Pointer, plain instructionFunc, op func(a, b lua.LNumber) lua.LNumber) int {
	to, left, right := int(code>>18)&0xff, int(code&0x1ff), int(code>>9)&0x1ff
	var replaced lua.LValue
	if to == left || to == right {
		replaced = l.Get(to + 1)
	}
	next := plain(l, code, base)
	if n, ok := l.Get(to + 1).(lua.LNumber); !ok || n != 0 {
		return next
	}
	b, ok := l.Context().(*budget)
	if !ok {
		return next
	}
	operand := func(rk int) (lua.LNumber, bool) {
		v := replaced
		if rk != to {
			v = b.state.operand(l, rk)
		}
		n, ok := v.(lua.LNumber)
		return n, ok
	}
	if x, ok := operand(left); ok {
		if y, ok := operand(right); ok && math.Signbit(float64(op(x, y))) {
			l.Replace(to+1, minusZero)
		}
	}
	return next
}

// negate is OP_UNM.
func negate(l *lua.LState, code uint32, base unsafe.Pointer) int {
	b, ok := l.Context().(*budget)
	if !ok {
		return plainNegate(l, code, base)
	}
	x := b.state.operand(l, int(code&0x1ff))
	switch x.(type) {
	case nil, lua.LNumber, lua.LString:
		return plainNegate(l, code, base)
	}
	fn := l.GetMetaField(x, "__unm")
	if fn == lua.LNil {
		return plainNegate(l, code, base)
	}
	if kind := notCallable(l, fn); kind != "" {
		Throwf(l, 0, "attempt to call a %s value", kind)
	}
	l.Push(fn)
	l.Push(x)
	l.Push(x)
	l.Call(2, 1)
	result := l.Get(-1)
	l.Pop(1)
	to := int(code>>18)&0xff + 1
	if l.GetTop() < to {
		l.SetTop(to)
	}
	l.Replace(to, result)
	return 0
}

// notCallable is the type of a metamethod that cannot be called, "" for one that can.
func notCallable(l *lua.LState, fn lua.LValue) string {
	if fn.Type() == lua.LTFunction || l.GetMetaField(fn, "__call") != lua.LNil {
		return ""
	}
	return fn.Type().String()
}
