package stdlib

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/internal/precise"
	"github.com/flowlua/flowlua/stdlib/internal/printf"
	"github.com/flowlua/flowlua/vm"
)

// OpenMath installs `math`: Lua 5.1's library. Random gives the generator of the branch that runs, asked at
// each call; nil means one generator per state with a fixed seed.
func OpenMath(s *vm.State, random func() *Random) {
	if random == nil {
		own := NewRandom(0)
		random = func() *Random { return own }
	}
	l := &mathLibrary{bounds{s}, random}
	L := s.Main()
	t := L.CreateTable(0, 32)
	s.SetFuncs(t, map[string]lua.LGFunction{
		"abs":        l.of(math.Abs),
		"acos":       l.precisely(precise.Acos),
		"asin":       l.precisely(precise.Asin),
		"atan":       l.precisely(precise.Atan),
		"atan2":      l.ofTwo(l.precise2(precise.Atan2)),
		"ceil":       l.of(math.Ceil),
		"cos":        l.ofAngle(precise.Cos),
		"cosh":       l.precisely(precise.Cosh),
		"deg":        l.of(func(x float64) float64 { return x / (math.Pi / 180) }),
		"exp":        l.precisely(precise.Exp),
		"floor":      l.of(math.Floor),
		"fmod":       l.ofTwo(l.remainder),
		"frexp":      l.frexp,
		"ldexp":      l.ldexp,
		"log":        l.precisely(precise.Log),
		"log10":      l.precisely(precise.Log10),
		"max":        l.max,
		"min":        l.min,
		"mod":        l.ofTwo(l.remainder),
		"modf":       l.modf,
		"pow":        l.ofTwo(l.precise2(precise.Pow)),
		"rad":        l.of(func(x float64) float64 { return x * (math.Pi / 180) }),
		"random":     l.randomNumber,
		"randomseed": l.randomSeed,
		"sin":        l.ofAngle(precise.Sin),
		"sinh":       l.precisely(precise.Sinh),
		"sqrt":       l.of(math.Sqrt),
		"tan":        l.ofAngle(precise.Tan),
		"tanh":       l.precisely(precise.Tanh),
	})
	t.RawSetString("huge", lua.LNumber(math.Inf(1)))
	t.RawSetString("pi", lua.LNumber(math.Pi))
	L.SetGlobal("math", t)
}

type mathLibrary struct {
	bounds
	random func() *Random
}

func (l *mathLibrary) of(f func(float64) float64) lua.LGFunction {
	return func(L *lua.LState) int {
		L.Push(lua.LNumber(f(l.number(L, 1))))
		return 1
	}
}

// What functions take that are computed with the same digits on every processor, in instructions.
const (
	preciseCost  = 10
	farAngleCost = 400 // of an angle of a million and more
)

func (l *mathLibrary) precisely(f func(float64) float64) lua.LGFunction {
	return l.of(func(x float64) float64 {
		l.state.Charge(preciseCost)
		return f(x)
	})
}

func (l *mathLibrary) ofAngle(f func(float64) float64) lua.LGFunction {
	return l.precisely(func(x float64) float64 {
		if math.Abs(x) >= 1<<20 {
			l.state.Charge(farAngleCost)
		}
		return f(x)
	})
}

func (l *mathLibrary) precise2(f func(x, y float64) float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		l.state.Charge(preciseCost)
		return f(x, y)
	}
}

// remainder is C's fmod. It divides bit by bit: the farther the numbers are apart, the longer it takes.
func (l *mathLibrary) remainder(x, y float64) float64 {
	_, high := math.Frexp(x)
	_, low := math.Frexp(y)
	l.state.Charge(int64(max(0, high-low)) / 4)
	return math.Mod(x, y)
}

// ofTwo reads the second argument first, as C's compiler does: where both are wrong the error is about that one.
func (l *mathLibrary) ofTwo(f func(x, y float64) float64) lua.LGFunction {
	return func(L *lua.LState) int {
		y := l.number(L, 2)
		L.Push(lua.LNumber(f(l.number(L, 1), y)))
		return 1
	}
}

func (l *mathLibrary) frexp(L *lua.LState) int {
	fraction, exponent := math.Frexp(l.number(L, 1))
	L.Push(lua.LNumber(fraction))
	L.Push(lua.LNumber(exponent))
	return 2
}

func (l *mathLibrary) ldexp(L *lua.LState) int {
	exponent := min(max(l.integer(L, 2), -1<<20), 1<<20)
	L.Push(lua.LNumber(math.Ldexp(l.number(L, 1), int(exponent))))
	return 1
}

func (l *mathLibrary) modf(L *lua.LState) int {
	x := l.number(L, 1)
	whole := math.Trunc(x)
	fraction := math.Copysign(x-whole, x)
	if math.IsInf(x, 0) {
		fraction = math.Copysign(0, x)
	}
	L.Push(lua.LNumber(whole))
	L.Push(lua.LNumber(fraction))
	return 2
}

func (l *mathLibrary) max(L *lua.LState) int {
	return l.choose(L, func(x, best float64) bool { return x > best })
}

func (l *mathLibrary) min(L *lua.LState) int {
	return l.choose(L, func(x, best float64) bool { return x < best })
}

func (l *mathLibrary) choose(L *lua.LState, better func(x, best float64) bool) int {
	best := l.number(L, 1)
	for i := 2; i <= L.GetTop(); i++ {
		if x := l.number(L, i); better(x, best) {
			best = x
		}
	}
	L.Push(lua.LNumber(best))
	return 1
}

func (l *mathLibrary) randomNumber(L *lua.LState) int {
	low, high := int64(1), int64(0)
	switch L.GetTop() {
	case 0:
		L.Push(lua.LNumber(l.random().Float()))
		return 1
	case 1:
		high = l.integer(L, 1)
		if high < low {
			badArgument(L, 1, "interval is empty")
		}
	case 2:
		low, high = l.integer(L, 1), l.integer(L, 2)
		if high < low {
			badArgument(L, 2, "interval is empty")
		}
	default:
		throw(L, "wrong number of arguments")
	}
	L.Push(lua.LNumber(l.random().Between(low, high)))
	return 1
}

func (l *mathLibrary) randomSeed(L *lua.LState) int {
	l.random().Seed(uint64(printf.Int64(l.number(L, 1))))
	return 0
}
