package vm

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// negate is OP_UNM. gopher-lua gives __unm one operand, where Lua gives it twice.
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
