package operate_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow/virtual"
)

// TestFollow: what a run does is shown as it comes, until it ends.
func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		d.order("order-7", time.Minute, map[string]virtual.Activity{"charge": hangs, "pack": returns()}, nil)
		owner := d.drive("an engine", "order-7")
		end := make(chan error)
		go func() { end <- d.Show(t.Context(), "order-7", operate.ShowOptions{Follow: true}) }()
		synctest.Wait()
		require.Contains(t, d.said(), "under way\n")

		failure := &history.Failure{Name: "TerminatedError", Message: "no more"}
		d.write(owner, history.Step{Ref: history.Ref{ID: "order-7", Number: 1}, Turn: &history.Turn{Seq: 3, Time: d.now,
			Events:    []history.Event{{Kind: history.RunTerminated, Failure: failure}},
			Decisions: []history.Event{{Kind: history.RunFailed, Failure: failure}}}})
		var ended *operate.Ended
		require.ErrorAs(t, <-end, &ended)
		require.Equal(t, history.Failed, ended.Run.Status)
		require.Equal(t, `   7        1m  ← RunTerminated TerminatedError: no more
   8        1m  → RunFailed TerminatedError: no more
`, d.said())
	})
}

// TestFollowStops: an interrupt ends the looking on, and nothing else.
func TestFollowStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		d.order("order-7", time.Minute, map[string]virtual.Activity{"charge": hangs, "pack": returns()}, nil)
		d.Format = operate.JSONL
		stopped, stop := context.WithCancel(t.Context())
		end := make(chan error)
		go func() { end <- d.Show(stopped, "order-7", operate.ShowOptions{Follow: true}) }()
		synctest.Wait()
		require.Contains(t, d.said(), `{"number":1,"turn":1,"time":"2026-03-01T12:00:00Z","kind":"RunStarted","name":"order","payload":[{"id":7,"price":100}]}`)
		stop()
		var left *operate.Left
		require.ErrorAs(t, <-end, &left)
		require.EqualError(t, left, "run order-7 stays open, and nobody drives it: flowlua resume order-7")
	})
}
