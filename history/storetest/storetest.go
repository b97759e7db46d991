// Package storetest is the conformance suite that every history.Store passes.
package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

// Run checks stores that open makes; each one is empty and closed by Run.
func Run(t *testing.T, open func(t *testing.T) history.Store) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, s history.Store)
	}{
		{"a run is created once", createOnce},
		{"runs continue each other by number", numbers},
		{"turns come back as they went in", roundTrip},
		{"a turn has its place", conflict},
		{"a closed run takes no turn", closed},
		{"what is not there is not found", notFound},
		{"sources are kept by hash", sources},
		{"runs are listed newest first and filtered", list},
		{"of many owners one wins each turn", race},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			defer func() { require.NoError(t, s.Close()) }()
			c.test(t, s)
		})
	}
}

var (
	ctx    = context.Background()
	epoch  = time.Date(2026, 1, 2, 3, 4, 5, 678900000, time.UTC)
	script = history.Sources{Main: "a.lua", Files: map[string]string{"a.lua": "return 1", "lib/b.lua": "return {}"}}
)

func newRun(id string) history.Run {
	return history.Run{Ref: history.Ref{ID: id}, Workflow: "w", Program: script.Hash(), Input: json.RawMessage(`[1]`), Created: epoch}
}

func ref(id string) history.Ref { return history.Ref{ID: id} }

func create(t *testing.T, s history.Store, run history.Run) {
	t.Helper()
	require.NoError(t, s.Create(ctx, run, script))
}

func collect[T any](t *testing.T, seq iter.Seq2[T, error]) (all []T) {
	t.Helper()
	for v, err := range seq {
		require.NoError(t, err)
		all = append(all, v)
	}
	return all
}

func createOnce(t *testing.T, s history.Store) {
	create(t, s, newRun("r"))
	require.ErrorIs(t, s.Create(ctx, newRun("r"), script), history.ErrExists)
	got, err := s.Run(ctx, ref("r"))
	require.NoError(t, err)
	want := newRun("r")
	want.Number, want.Status = 1, history.Open
	require.Equal(t, want, got)
}

func numbers(t *testing.T, s history.Store) {
	next := newRun("r")
	next.Number = 2
	require.ErrorIs(t, s.Create(ctx, next, script), history.ErrNotFound, "2 without 1")
	create(t, s, newRun("r"))
	require.NoError(t, s.Append(ctx, ref("r"), history.Turn{Seq: 1, Time: epoch, Decisions: []history.Event{{Kind: history.RunContinued, Payload: json.RawMessage(`[2]`)}}}))
	create(t, s, next)
	require.ErrorIs(t, s.Create(ctx, next, script), history.ErrExists)
	got, err := s.Run(ctx, ref("r"))
	require.NoError(t, err)
	require.Equal(t, 2, got.Number, "0 is the latest")
	got, err = s.Run(ctx, history.Ref{ID: "r", Number: 1})
	require.NoError(t, err)
	require.Equal(t, history.Continued, got.Status)
	require.NoError(t, s.Append(ctx, ref("r"), history.Turn{Seq: 1, Time: epoch}))
	require.Len(t, collect(t, s.Turns(ctx, ref("r"), 0)), 1)
}

func roundTrip(t *testing.T, s history.Store) {
	create(t, s, newRun("r"))
	yes := true
	failure := &history.Failure{Name: "ServiceError", Message: "no", Kinds: []string{"ClientError"}, Status: 404, Retryable: &yes, Timeout: "heartbeat",
		Activity: "a", Details: json.RawMessage(`{"x":1}`), Reason: json.RawMessage(`"r"`), Value: json.RawMessage(`"v"`),
		Cause: &history.Failure{Name: "E"}, Trace: []string{"a.lua:1: in main chunk"}}
	turns := []history.Turn{
		{Seq: 1, Time: epoch,
			Events: []history.Event{{Kind: history.RunStarted, Name: "w", Payload: json.RawMessage(`[1,"ä\u0000"]`)}},
			Decisions: []history.Event{
				{Kind: history.ActivityScheduled, Op: "/1", Name: "a", Payload: json.RawMessage(`[]`), Activity: &history.ActivityOptions{
					ScheduleToStart: 1, StartToClose: 2, ScheduleToClose: 3, Heartbeat: 4, Version: "2",
					Retry: &history.RetryOptions{Initial: 1, Backoff: 1.5, MaxInterval: 2, Expiration: 3, MaxAttempts: 4, Jitter: 0.1, RetryOn: []string{}, DontRetryOn: []string{"X"}}}},
				{Kind: history.TimerStarted, Op: "/2", At: epoch.Add(time.Nanosecond)},
				{Kind: history.ChildStarted, Op: "/3", Name: "c", Payload: json.RawMessage(`[]`), Child: &history.ChildOptions{ID: "x", OnParentClose: "abandon"}},
				{Kind: history.SignalSent, Op: "/4", Name: "s", Run: "other", Payload: json.RawMessage(`[]`)}}},
		{Seq: 2, Time: epoch.Add(time.Second)},
		{Seq: 3, Time: epoch.Add(2 * time.Second),
			Events:    []history.Event{{Kind: history.ActivityFailed, Op: "/1", Failure: failure}},
			Decisions: []history.Event{{Kind: history.StatusSet, Payload: json.RawMessage(`["late"]`)}, {Kind: history.RunFailed, Failure: failure}}},
	}
	for _, turn := range turns {
		require.NoError(t, s.Append(ctx, ref("r"), turn))
	}
	require.Equal(t, turns, collect(t, s.Turns(ctx, ref("r"), 0)))
	require.Equal(t, turns[2:], collect(t, s.Turns(ctx, ref("r"), 2)))
	require.Empty(t, collect(t, s.Turns(ctx, ref("r"), 9)))
	for turn := range s.Turns(ctx, ref("r"), 0) {
		require.Equal(t, int64(1), turn.Seq)
		break
	}
	got, err := s.Run(ctx, ref("r"))
	require.NoError(t, err)
	want := newRun("r")
	want.Number, want.Status, want.Closed, want.Turns, want.Failure, want.State = 1, history.Failed, turns[2].Time, 3, failure, json.RawMessage(`["late"]`)
	require.Equal(t, want, got)
}

func conflict(t *testing.T, s history.Store) {
	create(t, s, newRun("r"))
	for _, seq := range []int64{0, 2} {
		require.ErrorIs(t, s.Append(ctx, ref("r"), history.Turn{Seq: seq, Time: epoch}), history.ErrConflict, "seq %d", seq)
	}
	require.NoError(t, s.Append(ctx, ref("r"), history.Turn{Seq: 1, Time: epoch}))
	require.ErrorIs(t, s.Append(ctx, ref("r"), history.Turn{Seq: 1, Time: epoch}), history.ErrConflict)
	require.Len(t, collect(t, s.Turns(ctx, ref("r"), 0)), 1)
}

func closed(t *testing.T, s history.Store) {
	for kind, status := range map[history.Kind]history.Status{
		history.RunCompleted: history.Completed, history.RunFailed: history.Failed,
		history.RunCancelled: history.Cancelled, history.RunContinued: history.Continued,
	} {
		id := kind.String()
		create(t, s, newRun(id))
		require.NoError(t, s.Append(ctx, ref(id), history.Turn{Seq: 1, Time: epoch, Decisions: []history.Event{{Kind: kind}}}))
		require.ErrorIs(t, s.Append(ctx, ref(id), history.Turn{Seq: 2, Time: epoch}), history.ErrConflict)
		got, err := s.Run(ctx, ref(id))
		require.NoError(t, err)
		require.Equal(t, status, got.Status)
		require.Equal(t, epoch, got.Closed)
	}
}

func notFound(t *testing.T, s history.Store) {
	create(t, s, newRun("r"))
	for _, r := range []history.Ref{{ID: "x"}, {ID: "r", Number: 2}, {ID: "r", Number: -1}, {}} {
		_, err := s.Run(ctx, r)
		require.ErrorIs(t, err, history.ErrNotFound)
		require.ErrorIs(t, s.Append(ctx, r, history.Turn{Seq: 1}), history.ErrNotFound)
		for _, err = range s.Turns(ctx, r, 0) {
		}
		require.ErrorIs(t, err, history.ErrNotFound)
	}
	_, err := s.Sources(ctx, "x")
	require.ErrorIs(t, err, history.ErrNotFound)
}

func sources(t *testing.T, s history.Store) {
	create(t, s, newRun("1"))
	create(t, s, newRun("2"))
	got, err := s.Sources(ctx, script.Hash())
	require.NoError(t, err)
	require.Equal(t, script, got)
}

func list(t *testing.T, s history.Store) {
	require.Empty(t, collect(t, s.Runs(ctx, history.Filter{})))
	for i := range 5 {
		run := newRun(fmt.Sprint(i))
		run.Created = epoch.Add(time.Duration(i) * time.Second)
		if i == 3 {
			run.Workflow = "other"
			run.Parent = &history.Parent{Ref: history.Ref{ID: "1", Number: 1}, Op: "/1", OnParentClose: "cancel"}
		}
		create(t, s, run)
	}
	require.NoError(t, s.Append(ctx, ref("2"), history.Turn{Seq: 1, Time: epoch, Decisions: []history.Event{{Kind: history.RunCompleted, Payload: json.RawMessage(`[]`)}}}))
	for _, c := range []struct {
		filter history.Filter
		want   string
	}{
		{history.Filter{}, "43210"},
		{history.Filter{Limit: 2}, "43"},
		{history.Filter{Status: history.Open}, "4310"},
		{history.Filter{Status: history.Open, Limit: 3}, "431"},
		{history.Filter{Status: history.Completed}, "2"},
		{history.Filter{Workflow: "other"}, "3"},
		{history.Filter{Parent: "1"}, "3"},
		{history.Filter{Parent: "1", Status: history.Failed}, ""},
	} {
		got := ""
		for _, run := range collect(t, s.Runs(ctx, c.filter)) {
			got += run.ID
		}
		require.Equal(t, c.want, got, "%+v", c.filter)
	}
}

func race(t *testing.T, s history.Store) {
	const owners, turns = 4, 25
	create(t, s, newRun("r"))
	var won atomic.Int64
	var wg sync.WaitGroup
	for range owners {
		wg.Go(func() {
			for seq := int64(1); seq <= turns; seq++ {
				if s.Append(ctx, ref("r"), history.Turn{Seq: seq, Time: epoch}) == nil {
					won.Add(1)
				}
				for _, err := range s.Turns(ctx, ref("r"), 0) {
					if err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	n := len(collect(t, s.Turns(ctx, ref("r"), 0)))
	require.Equal(t, int(won.Load()), n)
	require.Equal(t, turns, n)
}
