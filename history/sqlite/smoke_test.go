package sqlite

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

func TestSmoke(t *testing.T) {
	ctx := context.Background()
	s, err := Open(filepath.Join(t.TempDir(), "x ?%.db"), Config{})
	require.NoError(t, err)
	src := history.Sources{Main: "a", Files: map[string]string{"a": "b"}}
	now := time.Unix(100, 5).UTC()
	me, err := s.Join(ctx, history.Owner{Name: "me", Until: now.Add(time.Hour)})
	require.NoError(t, err)
	w, err := s.Commit(ctx, me, []history.Step{{Start: []history.NewRun{{Run: history.Run{Ref: history.Ref{ID: "r"}, Program: src.Hash(), Created: now}, Sources: src}}},
		{Ref: history.Ref{ID: "r", Number: 1}, Turn: &history.Turn{Seq: 1, Time: now}},
		{Ref: history.Ref{ID: "r", Number: 1}, Turn: &history.Turn{Seq: 2, Time: now}, Wake: now}})
	require.NoError(t, err)
	require.Equal(t, []history.Written{{Started: []history.Ref{{ID: "r", Number: 1}}}, {}, {}}, w)
	run, err := s.Run(ctx, history.Ref{ID: "r"})
	require.NoError(t, err)
	require.Equal(t, history.Run{Ref: history.Ref{ID: "r", Number: 1}, Program: src.Hash(), Created: now, Status: history.Open, Turns: 2, Wake: now, Owner: me}, run)
	n := 0
	for turn, err := range s.Turns(ctx, history.Ref{ID: "r"}, 0) {
		require.NoError(t, err)
		n++
		require.Equal(t, int64(n), turn.Seq)
	}
	require.Equal(t, 2, n)
	require.NoError(t, s.Send(ctx, history.Mail{To: "r", Event: history.Event{Kind: history.SignalReceived, Payload: json.RawMessage(`[]`)}}))
	in, err := s.Inbox(ctx, me, 0)
	require.NoError(t, err)
	require.Len(t, in, 1)
	require.NoError(t, s.Close())
}
