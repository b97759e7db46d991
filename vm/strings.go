package vm

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

// openStrings makes the metatable of strings. Scripts cannot reach it: getmetatable("") is false. The arithmetic in it is
// there because gopher-lua asks it before its own, which takes "010" for 8.
func (s *State) openStrings() {
	s.meta = s.main.CreateTable(0, 10)
	s.meta.RawSetString("__metatable", lua.LFalse)
	for name, op := range arithmetic {
		s.meta.RawSetString("__"+name, s.Func(name, s.stringArithmetic(name, op)))
	}
	s.main.SetMetatable(lua.LString(""), s.meta)
}

var arithmetic = map[string]func(a, b float64) float64{
	"add": func(a, b float64) float64 { return a + b },
	"sub": func(a, b float64) float64 { return a - b },
	"mul": func(a, b float64) float64 { return a * b },
	"div": func(a, b float64) float64 { return a / b },
	"mod": modulo,
	"pow": math.Pow,
	"unm": func(a, _ float64) float64 { return -a },
}

// modulo is gopher-lua's, so that strings and numbers agree.
func modulo(a, b float64) float64 {
	v := math.Mod(a, b)
	if b > 0 && v < 0 || b < 0 && v > 0 {
		v += b
	}
	return v
}

func (s *State) stringArithmetic(name string, op func(a, b float64) float64) lua.LGFunction {
	event := "__" + name
	return func(l *lua.LState) int {
		x, y := l.Get(1), l.Get(2)
		if name == "unm" {
			y = x
		}
		a, ok1 := toNumber(x)
		b, ok2 := toNumber(y)
		if ok1 && ok2 {
			l.Push(lua.LNumber(op(a, b)))
			return 1
		}
		// The other operand may know better.
		if y.Type() != lua.LTString {
			if fn := l.GetMetaField(y, event); fn != lua.LNil {
				l.Push(fn)
				l.Push(x)
				l.Push(y)
				l.Call(2, 1)
				return 1
			}
		}
		bad := x
		if ok1 {
			bad = y
		}
		name := operandName(l, !ok1)
		Throwf(l, 1, "attempt to perform arithmetic on %sa %s value%s", prefix(name), bad.Type(), suffix(name))
		return 0
	}
}

// operandName names an operand of the arithmetic instruction that has called the running Go function.
func operandName(l *lua.LState, first bool) string {
	dbg, ok := l.GetStack(1)
	if !ok {
		return ""
	}
	fn, _ := l.GetInfo("fl", dbg, lua.LNil)
	f := fn.(*lua.LFunction)
	if f.IsG {
		return ""
	}
	in := instruction{proto: f.Proto, pc: pcOf(dbg.CurrentLine)}
	if op := in.op(); op < lua.OP_ADD || op > lua.OP_UNM {
		return ""
	}
	rk := in.c()
	if first || in.op() == lua.OP_UNM {
		rk = in.b()
	}
	if rk >= 256 {
		return ""
	}
	return registerName(f.Proto, in.pc, rk)
}
