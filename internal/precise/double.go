// Package precise computes the elementary functions to nearly twice the precision of a float64 and rounds once. The
// results are those of an exact computation in all but a few of a billion cases, as good C libraries give them, and
// the same on every processor: Go's own functions differ by a last digit or two, have assembly on some processors and
// none on others, and compilers may fuse operations (which the conversions here forbid).
package precise

import "math"

// double is the unevaluated sum of two floats: 106 bits.
type double struct{ hi, lo float64 }

func twoSum(a, b float64) double {
	s := a + b
	t := s - a
	return double{s, (a - (s - t)) + (b - t)}
}

func quickSum(a, b float64) double {
	s := a + b
	return double{s, b - (s - a)}
}

func twoProduct(a, b float64) double {
	p := float64(a * b)
	return double{p, math.FMA(a, b, -p)}
}

func (a double) add(b double) double {
	s, t := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	s = quickSum(s.hi, s.lo+t.hi)
	return quickSum(s.hi, s.lo+t.lo)
}

func (a double) plus(b float64) double {
	s := twoSum(a.hi, b)
	return quickSum(s.hi, s.lo+a.lo)
}

func (a double) negative() double { return double{-a.hi, -a.lo} }

func (a double) times(b double) double {
	p := twoProduct(a.hi, b.hi)
	return quickSum(p.hi, p.lo+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

func (a double) timesFloat(b float64) double {
	p := twoProduct(a.hi, b)
	return quickSum(p.hi, p.lo+float64(a.lo*b))
}

// scale multiplies by a power of two.
func (a double) scale(f float64) double { return double{float64(a.hi * f), float64(a.lo * f)} }

func (a double) over(b double) double {
	q := a.hi / b.hi
	r := a.add(b.timesFloat(q).negative())
	q2 := r.hi / b.hi
	r = r.add(b.timesFloat(q2).negative())
	return quickSum(q, q2).plus(r.hi / b.hi)
}

func (a double) float() float64 { return a.hi + a.lo }
