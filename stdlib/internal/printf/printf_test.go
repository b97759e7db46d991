package printf

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The expected texts are those of C's printf.
func TestNumbers(t *testing.T) {
	for want, got := range map[string][]byte{
		"00042":                Spec{Zero: true, Width: 5}.Signed(nil, 42),
		"   +7":                Spec{Plus: true, Width: 5}.Signed(nil, 7),
		"-9223372036854775808": Spec{}.Signed(nil, math.MinInt64),
		"  007":                Spec{Zero: true, Width: 5, HasPrecision: true, Precision: 3}.Signed(nil, 7),
		"":                     Spec{HasPrecision: true}.Signed(nil, 0),
		"0xff":                 Spec{Alternate: true}.Unsigned(nil, 255, 'x'),
		"0XFF":                 Spec{Alternate: true}.Unsigned(nil, 255, 'X'),
		"010":                  Spec{Alternate: true}.Unsigned(nil, 8, 'o'),
		"1e+20":                Spec{}.Float(nil, 1e20, 'g'),
		"1E-10":                Spec{}.Float(nil, 1e-10, 'G'),
		"100000":               Spec{}.Float(nil, 100000, 'g'),
		"1.00000":              Spec{Alternate: true}.Float(nil, 1, 'g'),
		"2.":                   Spec{Alternate: true, HasPrecision: true}.Float(nil, 2.5, 'f'),
		"1.e+00":               Spec{Alternate: true, HasPrecision: true}.Float(nil, 1, 'e'),
		"  inf":                Spec{Zero: true, Width: 5}.Float(nil, math.Inf(1), 'f'),
		"NAN":                  Spec{}.Float(nil, math.Copysign(math.NaN(), -1), 'E'),
		"-0":                   Spec{HasPrecision: true}.Float(nil, math.Copysign(0, -1), 'f'),
		"ab   ":                Spec{Minus: true, Width: 5, HasPrecision: true, Precision: 2}.Text(nil, "abc"),
	} {
		require.Equal(t, want, string(got))
	}
}

func TestConversionsAreClamped(t *testing.T) {
	require.Equal(t, int64(math.MaxInt64), Int64(1e30))
	require.Equal(t, int64(math.MinInt64), Int64(-1e30))
	require.Equal(t, int64(math.MinInt64), Int64(math.NaN()))
	require.Equal(t, int64(-2), Int64(-2.9))
	require.Equal(t, uint64(math.MaxUint64), Uint64(-1))
	require.Equal(t, uint64(math.MaxUint64), Uint64(1e30))
	require.Equal(t, uint64(1<<63), Uint64(1<<63))
}
