package storetest

import (
	"context"
	"encoding/json"
	"iter"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

var (
	ctx    = context.Background()
	epoch  = time.Date(2026, 1, 2, 3, 4, 5, 678900001, time.UTC)
	script = history.Sources{Main: "a.lua", Files: map[string]string{"a.lua": "return 1", "lib/b.lua": "return {}"}}
	none   = json.RawMessage(`[]`)
)

func after(d time.Duration) time.Time { return epoch.Add(d) }

func newRun(id string) history.NewRun {
	return history.NewRun{Sources: script,
		Run: history.Run{Ref: history.Ref{ID: id}, Workflow: "w", Program: script.Hash(), Input: json.RawMessage(`[1]`), Created: epoch}}
}

func ref(id string, number int) history.Ref { return history.Ref{ID: id, Number: number} }

// join makes an owner for an hour.
func join(t *testing.T, s history.Store) int64 {
	t.Helper()
	n, err := s.Join(ctx, history.Owner{Name: "engine", Until: after(time.Hour)})
	require.NoError(t, err)
	return n
}

// commit writes steps that are all written.
func commit(t *testing.T, s history.Store, owner int64, steps ...history.Step) (started []history.Ref) {
	t.Helper()
	written, err := s.Commit(ctx, owner, steps)
	require.NoError(t, err)
	require.Len(t, written, len(steps))
	for _, w := range written {
		require.NoError(t, w.Err)
		started = append(started, w.Started...)
	}
	return started
}

// refused writes a step that is not written, and gives why.
func refused(t *testing.T, s history.Store, owner int64, step history.Step) error {
	t.Helper()
	written, err := s.Commit(ctx, owner, []history.Step{step})
	require.NoError(t, err)
	require.Len(t, written, 1)
	require.Error(t, written[0].Err)
	require.Empty(t, written[0].Started)
	return written[0].Err
}

// start begins runs of the owner.
func start(t *testing.T, s history.Store, owner int64, ids ...string) {
	t.Helper()
	for _, id := range ids {
		require.Equal(t, id, commit(t, s, owner, history.Step{Start: []history.NewRun{newRun(id)}})[0].ID)
	}
}

// turn is a step with a turn of a run.
func turn(r history.Ref, seq int64, decisions ...history.Event) history.Step {
	return history.Step{Ref: r, Turn: &history.Turn{Seq: seq, Time: after(time.Duration(seq) * time.Second), Decisions: decisions}}
}

func decide(kind history.Kind) history.Event { return history.Event{Kind: kind, Payload: none} }

// signal is an event that can be told from others.
func signal(name string) history.Event {
	return history.Event{Kind: history.SignalReceived, Name: name, Payload: none}
}

func get(t *testing.T, s history.Store, r history.Ref) history.Run {
	t.Helper()
	run, err := s.Run(ctx, r)
	require.NoError(t, err)
	return run
}

// inbox gives the names of the events.
func inbox(t *testing.T, s history.Store, owner, after int64) (names []string) {
	t.Helper()
	all, err := s.Inbox(ctx, owner, after)
	require.NoError(t, err)
	for i, m := range all {
		require.Greater(t, m.Seq, after)
		require.True(t, i == 0 || m.Seq > all[i-1].Seq, "in order")
		names = append(names, m.Event.Name)
	}
	return names
}

func send(t *testing.T, s history.Store, mail history.Mail) {
	t.Helper()
	require.NoError(t, s.Send(ctx, mail))
}

func ids(runs []history.Run) (ids []string) {
	for _, r := range runs {
		ids = append(ids, r.ID)
	}
	return ids
}

func collect[T any](t *testing.T, seq iter.Seq2[T, error]) (all []T) {
	t.Helper()
	for v, err := range seq {
		require.NoError(t, err)
		all = append(all, v)
	}
	return all
}

// nothing checks that a step has left a run as it was.
func nothing(t *testing.T, s history.Store, before history.Run, do func()) {
	t.Helper()
	turns := len(collect(t, s.Turns(ctx, before.Ref, 0)))
	do()
	require.Equal(t, before, get(t, s, before.Ref))
	require.Len(t, collect(t, s.Turns(ctx, before.Ref, 0)), turns)
}
