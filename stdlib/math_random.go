package stdlib

import (
	"math"
	"math/bits"
)

// Random is the generator behind math.random: SplitMix64 (Steele, Lea, Flood 2014), which is the same
// for ever, small enough to keep one per branch, and good enough for anything but secrets.
type Random struct{ state uint64 }

// NewRandom makes a generator; equal seeds give equal numbers.
func NewRandom(seed uint64) *Random { return &Random{seed} }

// Seed starts the generator again.
func (r *Random) Seed(seed uint64) { r.state = seed }

func (r *Random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Float is in [0, 1), of 53 bits.
func (r *Random) Float() float64 { return float64(r.next()>>11) / (1 << 53) }

// Between is in [low, high].
func (r *Random) Between(low, high int64) int64 {
	if low == math.MinInt64 && high == math.MaxInt64 {
		return int64(r.next())
	}
	above, _ := bits.Mul64(r.next(), uint64(high)-uint64(low)+1)
	return int64(uint64(low) + above)
}
