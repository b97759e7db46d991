package precise

import (
	"math"
	"math/big"
)

// reduce gives x - k·pi/2, within pi/4 of zero, and k modulo 4. x is below 2^150.
func reduce(x float64) (r double, k int) {
	if math.Abs(x) <= math.Pi/4 {
		return double{x, 0}, 0
	}
	if math.Abs(x) >= 1<<20 {
		return reduceFar(x)
	}
	n := math.RoundToEven(x / halfPi[0])
	r = double{x, 0}
	for _, part := range halfPi {
		r = r.add(twoProduct(part, -n))
	}
	return r, int(n) & 3
}

func reduceFar(x float64) (double, int) {
	const bits = 360
	half, _, _ := big.ParseFloat(piDigits, 10, bits, big.ToNearestEven)
	half.Quo(half, big.NewFloat(2))
	exact := new(big.Float).SetPrec(bits).SetFloat64(x)
	quotient := new(big.Float).SetPrec(bits).Quo(exact, half)
	rounded := big.NewFloat(math.Copysign(0.5, x))
	n, _ := quotient.Add(quotient, rounded).Int(nil)
	rest := exact.Sub(exact, half.Mul(half, new(big.Float).SetPrec(bits).SetInt(n)))
	hi, _ := rest.Float64()
	lo, _ := rest.Sub(rest, big.NewFloat(hi)).Float64()
	return double{hi, lo}, int(n.And(n, big.NewInt(3)).Int64())
}

// series sums the terms of the sine (from x) or the cosine (from 1) of a small angle.
func series(r double, first int) double {
	square := r.times(r).negative()
	sum := double{}
	for n := 26 + first; n >= first; n -= 2 {
		sum = sum.times(square).add(inverseFactorials[n])
	}
	if first == 1 {
		return sum.times(r)
	}
	return sum
}

// sine is sin(r + k·pi/2).
func sine(r double, k int) double {
	result := series(r, 1-k&1)
	if k&2 != 0 {
		return result.negative()
	}
	return result
}

// far tells for which angles Go's own functions have to do.
func far(x float64) bool { return !(math.Abs(x) < 1<<150) || math.Abs(x) < 1e-100 }

// Sin is the sine of radians.
func Sin(x float64) float64 {
	if far(x) {
		return math.Sin(x)
	}
	r, k := reduce(x)
	return sine(r, k).float()
}

// Cos is the cosine of radians.
func Cos(x float64) float64 {
	if far(x) {
		return math.Cos(x)
	}
	r, k := reduce(x)
	return sine(r, k+1&3).float()
}

// Tan is the tangent of radians.
func Tan(x float64) float64 {
	if far(x) {
		return math.Tan(x)
	}
	r, k := reduce(x)
	return sine(r, k).over(sine(r, k+1&3)).float()
}

// Atan2 is the angle of the point (x, y).
func Atan2(y, x float64) float64 {
	near := math.Atan2(y, x)
	ratio := math.Abs(y / x)
	if !(ratio > 1e-100 && ratio < 1e100) {
		return near
	}
	_, exponent := math.Frexp(math.Max(math.Abs(x), math.Abs(y)))
	x, y = math.Ldexp(x, -exponent), math.Ldexp(y, -exponent)
	r, k := reduce(near)
	sin, cos := sine(r, k), sine(r, k+1&3)
	across := cos.timesFloat(y).add(sin.timesFloat(-x))
	along := cos.timesFloat(x).add(sin.timesFloat(y))
	return across.over(along).plus(near).float()
}

// Atan is the arc tangent.
func Atan(x float64) float64 { return Atan2(x, 1) }

// Asin is the arc sine.
func Asin(x float64) float64 {
	if !(math.Abs(x) < 1) || math.Abs(x) < 1e-100 {
		return math.Asin(x)
	}
	near := math.Atan2(x, math.Sqrt((1-x)*(1+x)))
	r, k := reduce(near)
	return sine(r, k).negative().plus(x).over(sine(r, k+1&3)).plus(near).float()
}

// Acos is the arc cosine.
func Acos(x float64) float64 {
	if !(math.Abs(x) < 1) {
		return math.Acos(x)
	}
	near := math.Atan2(math.Sqrt((1-x)*(1+x)), x)
	r, k := reduce(near)
	return sine(r, k+1&3).plus(-x).over(sine(r, k)).plus(near).float()
}
