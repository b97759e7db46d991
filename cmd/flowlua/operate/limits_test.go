package operate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/vm"
)

// What is said of limits names the flag, and a value that allows more.
func TestFlagged(t *testing.T) {
	for _, c := range []struct {
		limit, value, shown string
		flag                []string
	}{
		{"Instructions", "4000000 in one turn", "its limit instructions allows (4000000 in one turn; waiting for a timer, an activity or a signal begins the next turn, --limit instructions=VALUE allows more)", []string{"--limit", "instructions=1e9"}},
		{"Instructions", "2000000000 in one turn", "its limit instructions allows (2000000000 in one turn; ", []string{"--limit", "instructions=2e+10"}},
		{"Memory", "67108864 bytes", "its limit memory allows (67108864 bytes; --limit memory=VALUE allows more)", []string{"--limit", "memory=640MB"}},
		{"StringBytes", "1000 bytes", "its limit string_bytes allows (1000 bytes; --limit string_bytes=VALUE allows more)", []string{"--limit", "string_bytes=10000"}},
		{"Turn", "10s", "its limit turn allows (10s; ", []string{"--limit", "turn=1m40s"}},
		{"Coroutines", "5000 at once", "its limit coroutines allows (5000 at once; ", []string{"--limit", "coroutines=50000"}},
	} {
		text := (&vm.LimitError{Limit: c.limit, Value: c.value}).Error()
		require.Contains(t, Flagged(text), c.shown)
		require.Equal(t, c.flag, raised(text))
	}
	require.Equal(t, "stack overflow (more than 3 calls or 9 values: --limit call_depth=VALUE)", Flagged("stack overflow (more than 3 calls or 9 values: Limits.CallDepth)"))
	require.Nil(t, raised("does not decide again what the history says"))
}
