package history_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

func TestPastKeepsTheFirstAndTheLast(t *testing.T) {
	at := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	var p history.Past
	require.Nil(t, p.Outcome(history.PastAttempt{Number: 1, Began: at, Ended: at}), "the outcome of a first attempt says it all")
	long := history.Failure{Name: "E", Message: strings.Repeat("ä", 150), Status: 503, Timeout: "heartbeat", Trace: []string{"a.lua:1"}, Cause: &history.Failure{Name: "F"}}
	for n := 1; n <= 100_000; n++ {
		before := p
		p = p.With(history.PastAttempt{Number: n, Began: at, Ended: at, Failure: &long})
		if n > 1 {
			require.Equal(t, 1, before[0].Number, "a past is immutable")
			require.NotEqual(t, n, before[len(before)-1].Number)
		}
	}
	var numbers []int
	for _, a := range p {
		numbers = append(numbers, a.Number)
	}
	require.Equal(t, []int{1, 2, 3, 99_994, 99_995, 99_996, 99_997, 99_998, 99_999, 100_000}, numbers)
	require.Equal(t, &history.Failure{Name: "E", Message: strings.Repeat("ä", 100) + "…", Status: 503, Timeout: "heartbeat"}, p[9].Failure)
	require.Len(t, p.Outcome(history.PastAttempt{Number: 100_001}), 10)
	require.True(t, (&history.PastAttempt{Number: 1, Began: at}).Lost())
	require.False(t, p[0].Lost())
}
