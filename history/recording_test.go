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
)

func TestSourcesHash(t *testing.T) {
	base := history.Sources{Main: "a", Files: map[string]string{"a": "bc", "d": "e"}}
	require.Equal(t, base.Hash(), history.Sources{Main: "a", Files: map[string]string{"d": "e", "a": "bc"}}.Hash())
	require.NoError(t, base.Verify(base.Hash()))
	for _, other := range []history.Sources{
		{Main: "d", Files: base.Files},
		{Main: "a", Files: map[string]string{"a": "b", "cd": "e"}},
		{Main: "a", Files: map[string]string{"ab": "c", "d": "e"}},
		{Main: "a", Files: map[string]string{"a": "bc"}},
	} {
		require.NotEqual(t, base.Hash(), other.Hash(), "%v", other)
		require.ErrorContains(t, other.Verify(base.Hash()), "give the right ones")
	}
}

func TestRecording(t *testing.T) {
	ctx := context.Background()
	store := new(history.Memory)
	src := history.Sources{Main: "a.lua", Files: map[string]string{"a.lua": "return {}"}}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	me, err := store.Join(ctx, history.Owner{Name: "me", Until: at.Add(time.Hour)})
	require.NoError(t, err)
	written, err := store.Commit(ctx, me, []history.Step{
		{Start: []history.NewRun{{Run: history.Run{Ref: history.Ref{ID: "r"}, Workflow: "a", Program: src.Hash(), Created: at}, Sources: src}}},
		{Ref: history.Ref{ID: "r", Number: 1}, Turn: &history.Turn{Seq: 1, Time: at,
			Events: []history.Event{
				{Kind: history.RunStarted, Payload: json.RawMessage(`[{"a":[1,2],"b":"<&>"}]`)},
				{Kind: history.ActivityFailed, Op: "/1", Failure: &history.Failure{Name: "E", Details: json.RawMessage(`{"tried":["<1>",2]}`)}},
			},
			Decisions: []history.Event{{Kind: history.StatusSet, Payload: json.RawMessage(`[1]`)}}}, Wake: at}})
	require.NoError(t, err)
	require.NoError(t, written[1].Err)
	rec, err := history.Record(ctx, store, history.Ref{ID: "r"})
	require.NoError(t, err)
	require.Zero(t, rec.Run.Owner)
	require.Zero(t, rec.Run.Wake)
	var b bytes.Buffer
	_, err = rec.WriteTo(&b)
	require.NoError(t, err)
	back, err := history.ReadRecording(&b)
	require.NoError(t, err)
	require.Equal(t, rec, back)
	run, err := back.Rebuild()
	require.NoError(t, err)
	require.Equal(t, int64(1), run.Turns)
	require.Equal(t, `[1]`, string(run.State))

	for text, want := range map[string]string{
		`{`:                  "not a recorded run: expected a JSON document, found one that ends too soon",
		"{\n  \"format\" 1}": `line 2, column 12: expected JSON, found '1'`,
		"local x":            "line 1, column 1: expected JSON, found 'l'",
		`[]`:                 "the document: expected an object, found array",
		`{"format":1}`:       "it has no run",
		`{"format":1,"run":{"number":"one"},"sources":{}}`:                              "run: field number: expected a number, found string",
		`{"format":1,"run":{"created":"soon"},"sources":{}}`:                            `run: expected a time such as 2026-01-02T15:04:05Z, found "soon"`,
		`{"format":1,"run":{},"sources":{"main":[]}}`:                                   "sources: field main: expected a string, found array",
		`{"format":1,"run":{},"sources":{},"turns":[{"seq":1},{"events":[{"op":3}]}]}`:  "turn 2: field events.op: expected a string, found number",
		`{"format":1,"run":{},"sources":{},"turns":[{"events":[{"kind":"Nonsense"}]}]}`: "turn 1: ",
		`{}`:           "names no format",
		`{"format":2}`: "recorded in format 2, this release reads up to 1: use a newer one",
	} {
		_, err := history.ReadRecording(strings.NewReader(text))
		require.ErrorContains(t, err, want)
	}
	_, err = history.Record(ctx, store, history.Ref{ID: "x"})
	require.ErrorIs(t, err, history.ErrNotFound)
}
