package printf

import (
	"math"
	"strconv"
	"strings"
)

// Float is `%e`, `%E`, `%f`, `%g` and `%G`.
func (s Spec) Float(dst []byte, v float64, letter byte) []byte {
	sign := s.sign(math.Signbit(v) && !math.IsNaN(v))
	var digits string
	switch {
	case math.IsNaN(v):
		digits = "nan"
	case math.IsInf(v, 0):
		digits = "inf"
	default:
		digits = s.digits(math.Abs(v), letter|0x20)
	}
	if letter < 'a' {
		digits = strings.ToUpper(digits)
	}
	return s.pad(dst, sign, digits, !math.IsNaN(v) && !math.IsInf(v, 0))
}

func (s Spec) digits(v float64, letter byte) string {
	precision := 6
	if s.HasPrecision {
		precision = s.Precision
	}
	if letter == 'g' {
		return s.general(v, max(precision, 1))
	}
	text := strconv.FormatFloat(v, letter, precision, 64)
	if s.Alternate && precision == 0 {
		text = withPoint(text)
	}
	return text
}

// general is `%g`: the shorter of `%e` and `%f` by C's rule, without trailing zeros unless Alternate.
func (s Spec) general(v float64, precision int) string {
	text := strconv.FormatFloat(v, 'e', precision-1, 64)
	mark := strings.LastIndexByte(text, 'e')
	exponent, _ := strconv.Atoi(text[mark+1:])
	mantissa, tail := text[:mark], text[mark:]
	if exponent >= -4 && exponent < precision {
		mantissa, tail = strconv.FormatFloat(v, 'f', precision-1-exponent, 64), ""
	}
	if s.Alternate {
		return withPoint(mantissa) + tail
	}
	if strings.IndexByte(mantissa, '.') >= 0 {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	return mantissa + tail
}

// withPoint adds the decimal point that the `#` flag asks for.
func withPoint(text string) string {
	if strings.IndexByte(text, '.') >= 0 {
		return text
	}
	if i := strings.IndexByte(text, 'e'); i >= 0 {
		return text[:i] + "." + text[i:]
	}
	return text + "."
}
