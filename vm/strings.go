package vm

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/internal/precise"
)

// arithmeticModel is the metatable of strings, of which each run has a copy. The arithmetic in it is there because gopher-lua
// asks it before its own, which takes "010" for 8.
func arithmeticModel() *lua.LTable {
	funcs := map[string]Builtin{}
	for name, op := range arithmetic {
		funcs["__"+name] = func(s *State, l *lua.LState) int {
			x, y := l.Get(1), l.Get(2)
			if name == "unm" {
				y = x
			}
			s.arithmetic(l, name, op, x, y, operandName)
			return 1
		}
	}
	return Builtins(funcs)
}

// setStringMetatable makes t the metatable of strings; s.bare stands for none.
func (s *State) setStringMetatable(t *lua.LTable) {
	s.meta = t
	s.main.SetMetatable(lua.LString(""), t)
}

var arithmetic = map[string]func(a, b float64) float64{
	"add": func(a, b float64) float64 { return a + b },
	"sub": func(a, b float64) float64 { return a - b },
	"mul": func(a, b float64) float64 { return a * b },
	"div": func(a, b float64) float64 { return a / b },
	"mod": modulo,
	"pow": precise.Pow,
	"unm": func(a, _ float64) float64 { return -a },
}

// modulo is Lua's, whatever it gives where the quotient has no fraction left: a - floor(a/b)*b.
func modulo(a, b float64) float64 { return a - float64(math.Floor(a/b)*b) }

// arithmeticHelper is what a % b and a ^ b call.
func arithmeticHelper(name string) *lua.LFunction {
	op := arithmetic[name]
	return NewBuiltin(func(s *State, l *lua.LState) int {
		x, y := l.Get(1), l.Get(2)
		if a, ok := x.(lua.LNumber); ok {
			if b, ok := y.(lua.LNumber); ok {
				if name == "pow" && b != 2 {
					s.budget.charge(powCost)
				}
				l.Push(lua.LNumber(op(float64(a), float64(b))))
				return 1
			}
		}
		s.arithmetic(l, name, op, x, y, func(l *lua.LState, first bool) string {
			if first {
				return argumentName(l, 1)
			}
			return argumentName(l, 2)
		})
		return 1
	})
}

// arithmetic pushes the result of an operator for values of which one is not a number.
func (s *State) arithmetic(l *lua.LState, name string, op func(a, b float64) float64, x, y lua.LValue, operand func(*lua.LState, bool) string) {
	s.chargeDigits(x)
	s.chargeDigits(y)
	a, ok1 := ToNumber(x)
	b, ok2 := ToNumber(y)
	if ok1 && ok2 {
		l.Push(lua.LNumber(op(a, b)))
		return
	}
	for _, v := range [...]lua.LValue{x, y} {
		fn := l.GetMetaField(v, "__"+name)
		if fn == s.models.strings.RawGetString("__"+name) {
			continue // it has brought us here
		}
		if fn != lua.LNil {
			l.Push(fn)
			l.Push(x)
			l.Push(y)
			l.Call(2, 1)
			return
		}
	}
	bad := x
	if ok1 {
		bad = y
	}
	if _, position, ok := caller(l); ok && boundOf(position) != noBound {
		Throwf(l, 1, "'for' %s must be a number", boundOf(position))
	}
	of := operand(l, !ok1)
	Throwf(l, 1, "attempt to perform arithmetic on %sa %s value%s", prefix(of), bad.Type(), suffix(of))
}

// caller is the Lua function that has called the running Go function, and where it is.
func caller(l *lua.LState) (p *lua.FunctionProto, position int, ok bool) {
	dbg, ok := l.GetStack(1)
	if !ok {
		return nil, 0, false
	}
	fn, _ := l.GetInfo("fl", dbg, lua.LNil)
	f := fn.(*lua.LFunction)
	if f.IsG {
		return nil, 0, false
	}
	return f.Proto, dbg.CurrentLine, true
}

// operandName names an operand of the arithmetic instruction that has called the running Go function.
func operandName(l *lua.LState, first bool) string {
	p, position, ok := caller(l)
	if !ok {
		return ""
	}
	in := instruction{proto: p, pc: pcOf(position)}
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
	return registerName(p, in.pc, rk)
}
