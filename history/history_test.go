package history_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/history/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) history.Store { return new(history.Memory) })
}

func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for k := history.RunStarted; k <= history.RunContinued; k++ {
		text, err := k.MarshalText()
		require.NoError(t, err)
		require.False(t, seen[string(text)], "%s twice", text)
		seen[string(text)] = true
		var back history.Kind
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, k, back)
		require.Equal(t, k >= history.ActivityScheduled, k.Decision(), "%v", k)
	}
	_, err := history.Kind(0).MarshalText()
	require.ErrorContains(t, err, "Kind(0) is no kind")
	_, err = (history.RunContinued + 1).MarshalText()
	require.Error(t, err)
	var k history.Kind
	require.ErrorContains(t, json.Unmarshal([]byte(`"ActivityEaten"`), &k), `unknown kind of event "ActivityEaten" (written by a newer release?)`)
}

func TestEventIsSmallAsJSON(t *testing.T) {
	b, err := json.Marshal(history.Event{Kind: history.ActivityScheduled, Op: "/1", Name: "a", Payload: json.RawMessage(`[]`), Activity: &history.ActivityOptions{StartToClose: 1}})
	require.NoError(t, err)
	require.Equal(t, `{"kind":"ActivityScheduled","op":"/1","name":"a","payload":[],"activity":{"start_to_close":1}}`, string(b))
}

func TestSourcesHash(t *testing.T) {
	base := history.Sources{Main: "a", Files: map[string]string{"a": "bc", "d": "e"}}
	require.Equal(t, base.Hash(), history.Sources{Main: "a", Files: map[string]string{"d": "e", "a": "bc"}}.Hash())
	for _, other := range []history.Sources{
		{Main: "d", Files: base.Files},
		{Main: "a", Files: map[string]string{"a": "b", "cd": "e"}},
		{Main: "a", Files: map[string]string{"ab": "c", "d": "e"}},
		{Main: "a", Files: map[string]string{"a": "bc"}},
	} {
		require.NotEqual(t, base.Hash(), other.Hash(), "%v", other)
	}
}

func TestRecording(t *testing.T) {
	ctx := context.Background()
	store := new(history.Memory)
	src := history.Sources{Main: "a.lua", Files: map[string]string{"a.lua": "return {}"}}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	require.NoError(t, store.Create(ctx, history.Run{Ref: history.Ref{ID: "r"}, Workflow: "a", Program: src.Hash(), Created: at}, src))
	require.NoError(t, store.Append(ctx, history.Ref{ID: "r"}, history.Turn{Seq: 1, Time: at,
		Events: []history.Event{
			{Kind: history.RunStarted, Payload: json.RawMessage(`[{"a":[1,2],"b":"<&>"}]`)},
			{Kind: history.ActivityFailed, Op: "/1", Failure: &history.Failure{Name: "E", Details: json.RawMessage(`{"tried":["<1>",2]}`)}},
		},
		Decisions: []history.Event{{Kind: history.RunCompleted, Payload: json.RawMessage(`[]`)}}}))
	rec, err := history.Record(ctx, store, history.Ref{ID: "r"})
	require.NoError(t, err)
	var b bytes.Buffer
	_, err = rec.WriteTo(&b)
	require.NoError(t, err)
	back, err := history.ReadRecording(&b)
	require.NoError(t, err)
	require.Equal(t, rec, back)

	for text, want := range map[string]string{
		`{`:            "not a recorded run",
		`{}`:           "names no format",
		`{"format":2}`: "recorded in format 2, this release reads up to 1: use a newer one",
	} {
		_, err := history.ReadRecording(strings.NewReader(text))
		require.ErrorContains(t, err, want)
	}
	_, err = history.Record(ctx, store, history.Ref{ID: "x"})
	require.ErrorIs(t, err, history.ErrNotFound)
}
