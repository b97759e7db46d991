package printf

import (
	"math"
	"strconv"
	"strings"
)

// Signed is `%d`.
func (s Spec) Signed(dst []byte, v int64) []byte {
	magnitude := uint64(v)
	if v < 0 {
		magnitude = -magnitude
	}
	return s.integer(dst, s.sign(v < 0), strconv.FormatUint(magnitude, 10), magnitude == 0)
}

// Unsigned is `%u`, `%o`, `%x` and `%X`.
func (s Spec) Unsigned(dst []byte, v uint64, letter byte) []byte {
	prefix, digits := "", ""
	switch letter {
	case 'o':
		digits = strconv.FormatUint(v, 8)
		if s.Alternate && v != 0 && len(digits) >= s.Precision {
			digits = "0" + digits
		}
	case 'x', 'X':
		digits = strconv.FormatUint(v, 16)
		if s.Alternate && v != 0 {
			prefix = "0x"
		}
		if letter == 'X' {
			digits, prefix = strings.ToUpper(digits), strings.ToUpper(prefix)
		}
	default:
		digits = strconv.FormatUint(v, 10)
	}
	if letter == 'o' && s.Alternate && v == 0 {
		return s.integer(dst, prefix, digits, false)
	}
	return s.integer(dst, prefix, digits, v == 0)
}

// integer applies the precision: the least number of digits, where zero at precision 0 has none.
func (s Spec) integer(dst []byte, sign, digits string, isZero bool) []byte {
	if s.HasPrecision {
		switch missing := s.Precision - len(digits); {
		case s.Precision == 0 && isZero:
			digits = ""
		case missing > 0:
			digits = strings.Repeat("0", missing) + digits
		}
	}
	return s.pad(dst, sign, digits, !s.HasPrecision)
}

// Int64 truncates towards zero and clamps; NaN is the least integer. Go leaves all of that to the
// processor, and processors differ.
func Int64(f float64) int64 {
	switch {
	case f >= 1<<63:
		return math.MaxInt64
	case f >= -1<<63:
		return int64(f)
	}
	return math.MinInt64
}

// Uint64 is Int64 for `%u` and `%x`: negative numbers wrap as C's unsigned conversion of them does.
func Uint64(f float64) uint64 {
	switch {
	case f >= 1<<64:
		return math.MaxUint64
	case f >= 1<<63:
		return uint64(f-1<<63) + 1<<63
	}
	return uint64(Int64(f))
}
