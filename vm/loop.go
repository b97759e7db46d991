package vm

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/internal/precise"
)

// loop is the interpreter's loop of all threads of this package. gopher-lua's own asks a context before each instruction and
// calls a function for it, which finds the frame and the registers anew; so here the usual cases of the common instructions
// are done on the spot, each counted as one, and all others are left to instructions (gopher-lua's, with those of
// interpreter.go). What is done here must give the same.
//
// base is the frame whose return ends the loop.
func loop(l *lua.LState, base unsafe.Pointer) {
	t := threadOf(l)
	b := l.Context().(*budget)
	b.state.deepen()
	f := (*frame)(*t.frame)
	if f.fn.IsG {
		t.run(f)
		return
	}
	reg := t.reg
	code, constants, pc := f.fn.Proto.Code, f.fn.Proto.Constants, f.pc
	at := f.localBase
	regs := reg.array[at:]
	var v lua.LValue
	for {
		inst := code[pc]
		pc++
		b.slice--
		if n := b.slice; n&b.each == 0 || n < 0 {
			f.pc = pc
			b.tick()
		}
		a := int(inst>>18) & 0xff
		if a >= len(regs) {
			goto other
		}
		switch int(inst >> 26) {
		case lua.OP_MOVE:
			v = regs[inst&0x1ff]
		case lua.OP_MOVEN:
			v = regs[inst&0x1ff]
			for n := inst >> 9 & 0x1ff; n > 0; n-- {
				regs[a] = v
				reg.top = max(reg.top, at+a+1)
				inst = code[pc]
				pc++
				a = int(inst>>18) & 0xff
				v = regs[inst&0x1ff]
			}
		case lua.OP_LOADK:
			v = constants[inst&0x3ffff]
		case lua.OP_LOADBOOL:
			v = lua.LBool(inst&0x1ff != 0)
			if inst>>9&0x1ff != 0 {
				pc++
			}
		case lua.OP_GETUPVAL:
			v = f.fn.Upvalues[inst&0x1ff].Value()
		case lua.OP_SETUPVAL:
			f.fn.Upvalues[inst&0x1ff].SetValue(regs[a])
			continue
		case lua.OP_GETGLOBAL:
			key, ok := constants[inst&0x3ffff].(lua.LString)
			if !ok || len(key) > freeText {
				goto other
			}
			if v = b.field(f.fn.Env, string(key)); v == nil {
				goto other
			}
		case lua.OP_GETTABLEKS:
			t, ok := regs[inst&0x1ff].(*lua.LTable)
			if !ok {
				goto other
			}
			key, ok := operand(regs, constants, inst>>9).(lua.LString)
			if !ok {
				goto other
			}
			if v = b.field(t, string(key)); v == nil {
				goto other
			}
		case lua.OP_GETTABLE:
			t, ok := regs[inst&0x1ff].(*lua.LTable)
			if !ok {
				goto other
			}
			if v = b.item(t, operand(regs, constants, inst>>9)); v == nil {
				goto other
			}
		case lua.OP_SELF:
			object := regs[inst&0x1ff]
			key, ok := operand(regs, constants, inst>>9).(lua.LString)
			if !ok || len(key) > freeText || a+1 >= len(regs) {
				goto other
			}
			switch o := object.(type) {
			case *lua.LTable:
				v = b.field(o, string(key))
			case lua.LString:
				v = b.method(string(key))
			default:
				goto other
			}
			if v == nil {
				goto other
			}
			regs[a+1] = object
			reg.top = max(reg.top, at+a+2)
		case lua.OP_SETTABLE:
			t, ok := regs[a].(*lua.LTable)
			if !ok || !b.setItem(t, operand(regs, constants, inst), operand(regs, constants, inst>>9)) {
				goto other
			}
			continue
		case lua.OP_SETTABLEKS:
			t, ok := regs[a].(*lua.LTable)
			if !ok || !b.setItem(t, operand(regs, constants, inst), operand(regs, constants, inst>>9)) {
				goto other
			}
			continue
		case lua.OP_ADD:
			x, ok1 := operand(regs, constants, inst).(lua.LNumber)
			y, ok2 := operand(regs, constants, inst>>9).(lua.LNumber)
			if !ok1 || !ok2 {
				goto other
			}
			v = reg.number(x + y)
		case lua.OP_SUB:
			x, ok1 := operand(regs, constants, inst).(lua.LNumber)
			y, ok2 := operand(regs, constants, inst>>9).(lua.LNumber)
			if !ok1 || !ok2 {
				goto other
			}
			v = reg.number(x - y)
		case lua.OP_MUL:
			x, ok1 := operand(regs, constants, inst).(lua.LNumber)
			y, ok2 := operand(regs, constants, inst>>9).(lua.LNumber)
			if !ok1 || !ok2 {
				goto other
			}
			v = reg.number(x * y)
		case lua.OP_DIV:
			x, ok1 := operand(regs, constants, inst).(lua.LNumber)
			y, ok2 := operand(regs, constants, inst>>9).(lua.LNumber)
			if !ok1 || !ok2 {
				goto other
			}
			v = reg.number(x / y)
		case lua.OP_MOD:
			x, ok1 := operand(regs, constants, inst).(lua.LNumber)
			y, ok2 := operand(regs, constants, inst>>9).(lua.LNumber)
			if !ok1 || !ok2 {
				goto other
			}
			v = reg.number(lua.LNumber(modulo(float64(x), float64(y))))
		case lua.OP_POW:
			x, ok1 := operand(regs, constants, inst).(lua.LNumber)
			y, ok2 := operand(regs, constants, inst>>9).(lua.LNumber)
			if !ok1 || !ok2 {
				goto other
			}
			if y == 2 {
				v = reg.number(x * x)
			} else {
				f.pc = pc
				b.charge(powCost)
				v = reg.number(lua.LNumber(precise.Pow(float64(x), float64(y))))
			}
		case lua.OP_UNM:
			x, ok := operand(regs, constants, inst).(lua.LNumber)
			if !ok {
				goto other
			}
			v = reg.number(-x)
		case lua.OP_NOT:
			v = lua.LBool(!truthy(regs[inst&0x1ff]))
		case lua.OP_LEN:
			switch x := operand(regs, constants, inst).(type) {
			case lua.LString:
				v = reg.number(lua.LNumber(len(x)))
			case *lua.LTable:
				in := (*table)(unsafe.Pointer(x))
				n := len(in.array)
				if !bare(in.meta) || n > 0 && in.array[n-1] == lua.LNil {
					goto other
				}
				v = reg.number(lua.LNumber(n))
			default:
				goto other
			}
		case lua.OP_JMP:
			pc += int(inst&0x3ffff) - jumpBias
			continue
		case lua.OP_EQ:
			equal, ok := sameValue(operand(regs, constants, inst), operand(regs, constants, inst>>9))
			if !ok {
				goto other
			}
			if equal != (inst>>18&0xff != 0) {
				pc++
			}
			continue
		case lua.OP_LT:
			x, y := operand(regs, constants, inst), operand(regs, constants, inst>>9)
			var less bool
			if n, ok := x.(lua.LNumber); ok {
				m, ok := y.(lua.LNumber)
				if !ok {
					goto other
				}
				less = n < m
			} else if n, ok := x.(lua.LString); ok && len(n) <= freeText {
				m, ok := y.(lua.LString)
				if !ok {
					goto other
				}
				less = n < m
			} else {
				goto other
			}
			if less != (inst>>18&0xff != 0) {
				pc++
			}
			continue
		case lua.OP_LE:
			x, ok1 := operand(regs, constants, inst).(lua.LNumber)
			y, ok2 := operand(regs, constants, inst>>9).(lua.LNumber)
			if !ok1 || !ok2 {
				goto other
			}
			if (x <= y) != (inst>>18&0xff != 0) {
				pc++
			}
			continue
		case lua.OP_TEST:
			if truthy(regs[a]) == (inst>>9&0x1ff == 0) {
				pc++
			}
			continue
		case lua.OP_TESTSET:
			v = regs[inst&0x1ff]
			if truthy(v) == (inst>>9&0x1ff == 0) {
				pc++
				continue
			}
		case lua.OP_FORPREP:
			from, ok1 := regs[a].(lua.LNumber)
			step, ok2 := regs[a+2].(lua.LNumber)
			if !ok1 || !ok2 {
				goto other
			}
			regs[a] = reg.number(from - step)
			pc += int(inst&0x3ffff) - jumpBias
			continue
		case lua.OP_FORLOOP:
			i, ok1 := regs[a].(lua.LNumber)
			limit, ok2 := regs[a+1].(lua.LNumber)
			step, ok3 := regs[a+2].(lua.LNumber)
			if !ok1 || !ok2 || !ok3 || a+3 >= len(regs) {
				goto other
			}
			i += step
			if step > 0 && i <= limit || step <= 0 && i >= limit {
				v = reg.number(i)
				regs[a], regs[a+3] = v, v
				reg.top = max(reg.top, at+a+4)
				pc += int(inst&0x3ffff) - jumpBias
			} else {
				reg.cut(at + a + 1)
			}
			continue
		case lua.OP_TFORLOOP:
			f.pc = pc
			if fn, ok := regs[a].(*lua.LFunction); ok && fn.IsG {
				want := int(inst >> 9 & 0x1ff)
				if quick := quickOf(fn); quick != nil && a+3+want <= len(regs) {
					first, second, n := quick(regs[a+1 : a+3])
					if n == 0 {
						goto other
					}
					b.charge(goCallCost)
					give(regs[a+3:a+3+want], first, second, n)
					reg.cut(at + a + 3 + want)
					if first != lua.LNil {
						regs[a+2] = first
						pc += int(code[pc]&0x3ffff) - jumpBias
					}
					pc++
					continue
				}
			}
			goto other
		case lua.OP_CALL:
			f.pc = pc
			fn, ok := regs[a].(*lua.LFunction)
			if !ok {
				goto other
			}
			args, want := int(inst&0x1ff)-1, int(inst>>9&0x1ff)-1
			if args < 0 {
				args = reg.top - at - a - 1
			}
			if fn.IsG {
				if quick := quickOf(fn); quick != nil && a+max(want, 2) <= len(regs) {
					if first, second, n := quick(regs[a+1 : a+1+args]); n > 0 {
						b.charge(goCallCost)
						if want < 0 {
							want = n
						}
						give(regs[a:a+want], first, second, n)
						reg.cut(at + a + want)
						continue
					}
				}
				next := t.push(fn, f, at+a, args, want)
				if next == nil {
					goto other
				}
				reg.cut(at + a + 1 + args)
				t.run(next)
				regs = reg.array[at:]
				continue
			}
			next := t.enter(fn, f, at+a, args, want)
			if next == nil {
				goto other
			}
			f = next
			code, constants, pc, at = fn.Proto.Code, fn.Proto.Constants, 0, at+a+1
			regs = reg.array[at:]
			continue
		case lua.OP_RETURN:
			if n := t.leave(f, at+a, int(inst&0x1ff), base); n == stay {
				goto other
			} else if n == ended {
				return
			}
			f = (*frame)(*t.frame)
			code, constants, pc = f.fn.Proto.Code, f.fn.Proto.Constants, f.pc
			at = f.localBase
			regs = reg.array[at:]
			continue
		default:
			goto other
		}
		regs[a] = v
		if at+a >= reg.top {
			reg.top = at + a + 1
		}
		continue

	other:
		f.pc = pc
		b.charge(otherCost)
		if op := int(inst >> 26); op == lua.OP_CALL || op == lua.OP_TAILCALL {
			b.state.deepen()
		}
		if instructions[inst>>26](l, inst, base) == 1 {
			return
		}
		f = (*frame)(*t.frame)
		code, constants, pc = f.fn.Proto.Code, f.fn.Proto.Constants, f.pc
		at = f.localBase
		regs = reg.array[at:]
	}
}

// jumpBias is what a jump over no instruction is written as.
const jumpBias = 1<<17 - 1

// operand is what a register or, from 256 on, a constant holds.
func operand(regs, constants []lua.LValue, rk uint32) lua.LValue {
	if rk &= 0x1ff; rk >= 256 {
		return constants[rk-256]
	} else {
		return regs[rk]
	}
}

func truthy(v lua.LValue) bool {
	switch v := v.(type) {
	case *lua.LNilType:
		return false
	case lua.LBool:
		return bool(v)
	}
	return true
}
