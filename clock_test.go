package flowlua_test

import (
	"errors"
	"io"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

// TestClockSetBack: a run goes on though the clock shows an earlier time than its history. No time in it is before another, no lease
// that seems to last for long keeps anybody from it, and what was due at a time by the old clock is due then.
func TestClockSetBack(t *testing.T) {
	store := new(history.Memory) // outside of the bubbles, each of which begins at the same time
	open := func() *flowlua.Engine {
		e, err := flowlua.Open("", flowlua.Config{Store: store, Print: io.Discard, Scripts: fstest.MapFS{"flow.lua": {Data: []byte(prelude + `
			local work, began = flow.activity("work", { retry = { initial = "1h", max_attempts = 3 } }), flow.now()
			work():await()
			local at = flow.now() - began
			flow.signal("go"):await()
			assert(flow.now() - began >= at, "time goes backwards")
			flow.sleep("1h")
			return at, flow.now() - began >= at + 3600`)}}})
		require.NoError(t, err)
		attempts := 0
		require.NoError(t, e.RegisterActivity("work", func() error {
			if attempts++; attempts == 1 {
				return errors.New("busy")
			}
			return nil
		}))
		return e
	}
	var last time.Time
	synctest.Test(t, func(t *testing.T) {
		e := open()
		time.Sleep(24 * time.Hour)
		_, err := e.Start(t.Context(), "flow", nil, flowlua.StartOptions{ID: "run"})
		require.NoError(t, err)
		time.Sleep(2 * time.Hour)
		require.NoError(t, e.Close(t.Context()))
		last = time.Now()
	})
	synctest.Test(t, func(t *testing.T) {
		require.True(t, time.Now().Before(last.Add(-24*time.Hour)), "the clock has been set back")
		e := open()
		require.NoError(t, e.Recover(t.Context()))
		require.NoError(t, e.Signal(t.Context(), "run", "go"))
		run, err := e.Find(t.Context(), "run")
		require.NoError(t, err)
		var at float64
		var later bool
		require.NoError(t, run.Result(t.Context(), &at, &later))
		require.Equal(t, 3600.0, at)
		require.True(t, later)
		var before time.Time
		turns := 0
		for turn, err := range e.History(t.Context(), history.Ref{ID: "run"}) {
			require.NoError(t, err)
			require.False(t, turn.Time.Before(before), "turn %d at %v comes before %v", turn.Seq, turn.Time, before)
			before = turn.Time
			turns++
		}
		require.Equal(t, 4, turns)
		require.NoError(t, e.Close(t.Context()))
	})
}
