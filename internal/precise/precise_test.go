package precise

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var functions = map[string]func(x, y float64) float64{
	"acos": one(Acos), "asin": one(Asin), "atan": one(Atan), "atan2": Atan2, "cos": one(Cos), "cosh": one(Cosh), "exp": one(Exp),
	"log": one(Log), "log10": one(Log10), "pow": Pow, "sin": one(Sin), "sinh": one(Sinh), "tan": one(Tan), "tanh": one(Tanh),
}

func one(f func(float64) float64) func(x, y float64) float64 {
	return func(x, _ float64) float64 { return f(x) }
}

// TestValues compares with values computed with a hundred digits and rounded once: function, arguments, result.
func TestValues(t *testing.T) {
	text, err := os.ReadFile("testdata/values.txt")
	require.NoError(t, err)
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		fields := strings.Fields(line)
		require.Len(t, fields, 4)
		number := func(i int) float64 {
			f, err := strconv.ParseFloat(fields[i], 64)
			require.NoError(t, err)
			return f
		}
		require.Equal(t, number(3), functions[fields[0]](number(1), number(2)), "%s", line)
	}
}

func TestSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for name, f := range functions {
		require.True(t, math.IsNaN(f(nan, 1)), name)
	}
	require.Equal(t, inf, Exp(inf))
	require.Equal(t, 0.0, Exp(-inf))
	require.Equal(t, inf, Exp(710))
	require.Equal(t, 5e-324, Exp(-745))
	require.Equal(t, -inf, Log(0))
	require.True(t, math.IsNaN(Log(-1)))
	require.True(t, math.IsNaN(Sin(inf)))
	require.Equal(t, 1.0, Tanh(inf))
	require.Equal(t, -inf, Sinh(-inf))
	require.Equal(t, math.Pi/2, Atan(inf))
	require.Equal(t, math.Pi/2, Asin(1))
	require.Equal(t, math.Pi, Acos(-1))
	require.Equal(t, math.Pi, Atan2(0, -1))
	require.True(t, math.Signbit(Sin(math.Copysign(0, -1))))
	require.Equal(t, 3.0, Log10(1000))
	require.Equal(t, inf, Pow(10, 309))
	require.Equal(t, -inf, Pow(-10, 309))
	require.Equal(t, 0.0, Pow(10, -400))
	require.Equal(t, 5e-324, Pow(2, -1074))
	require.True(t, math.IsNaN(Pow(-8, 1.0/3)))
}
