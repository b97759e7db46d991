package progress

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

func TestPastLines(t *testing.T) {
	start := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	past := history.Past{
		{Number: 1}, {Number: 2, Began: at(1)}, {Number: 3, Began: at(2), Ended: at(4), Failure: &history.Failure{Name: "Busy", Message: "not\x1b now"}},
		{Number: 90, Began: at(100), Ended: at(101)},
	}
	require.Equal(t, []string{
		"attempt 1  may have begun, and done its work, before its process died",
		"attempt 2  from 1.000s  its process died: its work may have been done",
		"attempt 3  2.000s to 4.000s  Busy: not now",
		"… 86 more",
		"attempt 90  100.000s to 101.000s",
	}, PastLines(past, start))
	require.Equal(t, "attempts 1, 2 were lost with their processes: their work may have been done", lost(past))
	require.Equal(t, "attempt 2 was lost with its process: its work may have been done", lost(past[1:]))
	require.Empty(t, lost(past[2:]))
	require.Empty(t, PastLines(nil, start))
	require.Equal(t, "after 90 attempts", AfterAttempts(past))
	require.Equal(t, "after 1 attempt", AfterAttempts(past[:1]))
}
