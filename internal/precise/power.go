package precise

import "math"

// Pow is x to the power of y.
func Pow(x, y float64) float64 {
	switch {
	case y == 2:
		return x * x
	case x != x || y != y || x == 0 || y == 0 || x == 1 || y == 1 || math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Pow(x, y)
	}
	whole := y == math.Trunc(y)
	if x < 0 && !whole {
		return math.NaN()
	}
	if whole && y > 0 && x == math.Trunc(x) {
		if exact, ok := wholePower(x, y); ok {
			return exact
		}
	}
	sign := 1.0
	if x < 0 && math.Mod(y, 2) != 0 {
		sign = -1
	}
	z := logarithm(math.Abs(x)).timesFloat(y)
	switch {
	case z.hi > 710:
		return math.Copysign(math.Inf(1), sign)
	case z.hi < -746:
		return math.Copysign(0, sign)
	}
	e, k := exponential(z)
	return sign * math.Ldexp(e.float(), k)
}

// wholePower multiplies as long as nothing is lost.
func wholePower(x, y float64) (float64, bool) {
	if x == 2 && y < 1024 {
		return math.Ldexp(1, int(y)), true
	}
	if x == -1 { // which never grows
		return 1 - 2*math.Mod(y, 2), true
	}
	out := 1.0
	for ; y > 0; y-- {
		if out *= x; math.Abs(out) > 1<<53 {
			return 0, false
		}
	}
	return out, true
}
