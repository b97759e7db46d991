package precise

import "math"

// exponential is e^x = result · 2^k. x is at most about 750.
func exponential(x double) (result double, k int) {
	n := math.RoundToEven(x.hi / ln2.hi)
	r := x.add(ln2.timesFloat(-n)).scale(1.0 / 512)
	sum := expSeries(r)
	for range 9 { // e^2r - 1 = 2(e^r - 1) + (e^r - 1)²
		sum = sum.scale(2).add(sum.times(sum))
	}
	return sum.plus(1), int(n)
}

// expSeries is e^r - 1 for small r.
func expSeries(r double) double {
	const terms = 11
	sum := inverseFactorials[terms]
	for n := terms - 1; n > 0; n-- {
		sum = sum.times(r).add(inverseFactorials[n])
	}
	return sum.times(r)
}

// logarithm is ln x of a positive, finite x.
func logarithm(x float64) double {
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction, exponent = fraction*2, exponent-1
	}
	near := math.Log(fraction)
	e, k := exponential(double{-near, 0})
	off := e.scale(math.Ldexp(1, k)).timesFloat(fraction).plus(-1)
	result := off.add(off.times(off).scale(-0.5)).plus(near)
	return ln2.timesFloat(float64(exponent)).add(result)
}

// Exp is e^x.
func Exp(x float64) float64 {
	switch {
	case x != x || x == 0 || x > 710 || x < -746:
		return math.Exp(x)
	}
	e, k := exponential(double{x, 0})
	return math.Ldexp(e.float(), k)
}

// Log is the natural logarithm.
func Log(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) || x == 1 {
		return math.Log(x)
	}
	return logarithm(x).float()
}

// Log10 is the logarithm to base 10.
func Log10(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) || x == 1 {
		return math.Log10(x)
	}
	return logarithm(x).times(invLn10).float()
}

// hyperbolic gives sinh x and cosh x for 0 < x < 700.
func hyperbolic(x float64) (sinh, cosh double) {
	e, k := exponential(double{x, 0})
	half := math.Ldexp(0.5, k)
	inverse := double{1, 0}.over(e).scale(math.Ldexp(0.5, -k))
	cosh = e.scale(half).add(inverse)
	if x > 0.5 {
		return e.scale(half).add(inverse.negative()), cosh
	}
	square := twoProduct(x, x)
	sum := double{}
	for n := 21; n > 0; n -= 2 {
		sum = sum.times(square).add(inverseFactorials[n])
	}
	return sum.timesFloat(x), cosh
}

// Sinh is the hyperbolic sine.
func Sinh(x float64) float64 {
	a := math.Abs(x)
	if !(a < 700) || a < 1e-100 {
		return math.Sinh(x)
	}
	sinh, _ := hyperbolic(a)
	return math.Copysign(sinh.float(), x)
}

// Cosh is the hyperbolic cosine.
func Cosh(x float64) float64 {
	a := math.Abs(x)
	if !(a < 700) || a < 1e-100 {
		return math.Cosh(x)
	}
	_, cosh := hyperbolic(a)
	return cosh.float()
}

// Tanh is the hyperbolic tangent.
func Tanh(x float64) float64 {
	a := math.Abs(x)
	if !(a < 30) || a < 1e-100 {
		return math.Tanh(x)
	}
	sinh, cosh := hyperbolic(a)
	return math.Copysign(sinh.over(cosh).float(), x)
}
