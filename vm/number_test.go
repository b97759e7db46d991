package vm

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestFormatNumberIsG14: %.14g of C, made from Go's exact digits.
func TestFormatNumberIsG14(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.OneOf(rapid.Float64(), rapid.Map(rapid.Int64(), func(i int64) float64 { return float64(i) / 1000 }),
			rapid.Map(rapid.IntRange(-330, 308), func(e int) float64 { return math.Pow10(e) }),
			rapid.Map(rapid.IntRange(-20, 20), func(e int) float64 { return math.Pow10(e) * 0.99999999999999999 * 9.9999999999999995 })).Draw(t, "f")
		require.Equal(t, g14(f), FormatNumber(f))
	})
}

// g14 follows C's standard literally.
func g14(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.ToLower(strings.TrimPrefix(fmt.Sprint(f), "+"))
	case f == 0 && math.Signbit(f):
		return "-0"
	case f == 0:
		return "0"
	}
	e := fmt.Sprintf("%.13e", f)
	mantissa, exponent, _ := strings.Cut(e, "e")
	x, _ := strconv.Atoi(exponent)
	strip := func(s string) string {
		if strings.Contains(s, ".") {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return s
	}
	if x < -4 || x >= 14 {
		return strip(mantissa) + "e" + exponent
	}
	return strip(fmt.Sprintf("%.*f", 13-x, f))
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]float64{
		"10": 10, " 10 ": 10, "10\r\n": 10, "\v1\f": 1, "0x10": 16, "-0x10": -16, "0XfF": 255, "1e5": 1e5, "1E-2": 0.01, ".5": 0.5, "5.": 5,
		"+3": 3, "010": 10, "9999999999999999999": 1e19, "1e999": math.Inf(1), "0xffffffffffffffff": math.Pow(2, 64),
		"inf": math.Inf(1), "-Infinity": math.Inf(-1), "0x1p4": 16, "0x.8": 0.5, "0xA.8p-1": 5.25, "1\x00x": 1,
	} {
		got, ok := ParseNumber(text)
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", " ", "x", "1x", "0x", "0b1", "1_0", "infx", "0x1p", "0x.", "0x1_0", "+-1", "1 2", "--1", "- 1", "e5", ".", "1e", "1e+", "\x001"} {
		_, ok := ParseNumber(text)
		require.False(t, ok, text)
	}
}
