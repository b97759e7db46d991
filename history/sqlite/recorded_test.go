package sqlite_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/history/sqlite"
)

// Files that earlier releases wrote are read for ever. Those of testdata stay as they are; when the format changes, this makes
// one of the new format beside them:
//
//	FLOWLUA_RECORD=1 go test ./history/sqlite -run Recorded
func TestRecordedFiles(t *testing.T) {
	if os.Getenv("FLOWLUA_RECORD") != "" {
		record(t, filepath.Join("testdata", "format-1-attempts"))
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*.db"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		want, err := os.ReadFile(file[:len(file)-len("db")] + "json")
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "f.db")
		copyFile(t, file, path)
		s := open(t, path)
		sound(t, s)
		require.Equal(t, string(want), contents(t, s), file)

		ctx := context.Background() // and it goes on
		me, err := s.Join(ctx, history.Owner{Name: "later", Until: time.Unix(1<<32, 0)})
		require.NoError(t, err)
		runs, err := s.Claim(ctx, history.Claim{Owner: me, Now: time.Unix(1<<31, 0)})
		require.NoError(t, err)
		require.NotEmpty(t, runs)
		for _, run := range runs {
			commit(t, s, me, history.Step{Ref: run.Ref, Turn: benchTurn(run.Turns + 1)})
		}
		sound(t, s)
		require.NoError(t, s.Close())
	}
}

// record makes a file and says what is in it, by what the store in memory has.
func record(t *testing.T, name string) {
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	os.Remove(name + ".db")
	s, err := sqlite.Open(name+".db", sqlite.Config{})
	require.NoError(t, err)
	memory := new(history.Memory)
	fill(t, s)
	fill(t, memory)
	require.NoError(t, s.Close())
	require.NoError(t, os.Remove(name+".db-owners"))
	require.NoError(t, os.WriteFile(name+".json", []byte(contents(t, memory)), 0o644))
}

// contents is all that is in a store, as text.
func contents(t *testing.T, s history.Store) string {
	ctx := context.Background()
	var all struct {
		Runs     []history.Recording
		Attempts map[string][]history.Attempt
		Mail     []history.Mail
		Owners   []history.Owner
	}
	all.Attempts = map[string][]history.Attempt{}
	var err error
	for run, err := range s.Runs(ctx, history.Filter{}) {
		require.NoError(t, err)
		rec, err := history.Record(ctx, s, run.Ref)
		require.NoError(t, err)
		rec.Run = run
		all.Runs = append(all.Runs, rec)
		if attempts, err := s.Attempts(ctx, run.Ref); len(attempts) > 0 {
			require.NoError(t, err)
			all.Attempts[run.ID] = attempts
		}
	}
	all.Mail, err = s.Inbox(ctx, 1, 0)
	require.NoError(t, err)
	all.Owners, err = s.Owners(ctx)
	require.NoError(t, err)
	for i := range all.Owners {
		all.Owners[i].Gone = false // depends on the system
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	require.NoError(t, e.Encode(all))
	return b.String()
}

// fill writes runs of every kind.
func fill(t *testing.T, s history.Store) {
	at := func(n int64) time.Time { return time.Unix(1_790_000_000+n, 123456789).UTC() }
	me, err := s.Join(context.Background(), history.Owner{Name: "engine on host", Until: at(60)})
	require.NoError(t, err)
	text := func(s string) json.RawMessage { return json.RawMessage(s) }
	begin := func(id string) history.Step {
		return history.Step{Start: []history.NewRun{{Sources: benchScript, Wake: at(1),
			Run: history.Run{Ref: history.Ref{ID: id}, Workflow: "order", Program: benchScript.Hash(), Input: text(`[{"id":7,"name":"ä"}]`), Created: at(0),
				Parent: &history.Parent{Ref: history.Ref{ID: "parent", Number: 2}, Op: "@1/3", OnParentClose: "abandon"}}}}}
	}
	turn := func(id string, seq int64, events, decisions []history.Event) history.Step {
		return history.Step{Ref: history.Ref{ID: id, Number: 1}, Turn: &history.Turn{Seq: seq, Time: at(seq), Events: events, Decisions: decisions}}
	}
	yes := true
	failure := &history.Failure{Name: "ServiceError", Message: "no", Kinds: []string{"ClientError"}, Status: 404, Retryable: &yes, Timeout: "heartbeat", Activity: "charge",
		Details: text(`{"x":1}`), Reason: text(`"r"`), Value: text(`"v"`), Cause: &history.Failure{Name: "E"}, Trace: []string{"a.lua:1: in main chunk"}}
	started := []history.Event{{Kind: history.RunStarted, Name: "order", Payload: text(`[{"id":7,"name":"ä"}]`)}}
	waiting := turn("waiting", 1, started, []history.Event{
		{Kind: history.ActivityScheduled, Op: "@1/1", Name: "charge", Payload: text(`[1,"a"]`), Activity: &history.ActivityOptions{
			ScheduleToStart: time.Second, StartToClose: time.Minute, ScheduleToClose: time.Hour, Heartbeat: time.Millisecond, Version: "2",
			Retry: &history.RetryOptions{Initial: 1, Backoff: 1.7, MaxInterval: 2, Expiration: 3, MaxAttempts: 4, Jitter: 0.1, RetryOn: []string{}, DontRetryOn: []string{"X"}}}},
		{Kind: history.TimerStarted, Op: "@1/2", At: at(3600)}, {Kind: history.ChildStarted, Op: "@1/3", Name: "c", Payload: text(`[]`), Child: &history.ChildOptions{ID: "x", OnParentClose: "cancel"}},
		{Kind: history.SignalSent, Op: "@1/4", Name: "s", Run: "other", Payload: text(`[]`)}, {Kind: history.SideEffectRecorded, Op: "@1/5", Name: "now", Payload: text(`[5]`)},
		{Kind: history.VersionRecorded, Op: "@1/6", Name: "change", Payload: text(`[2]`)}, {Kind: history.StatusSet, Payload: text(`["waits"]`)},
		{Kind: history.TimerStarted, Op: "@1/7", At: time.Date(9000, 1, 1, 0, 0, 0, 1, time.UTC)},
		{Kind: history.ActivityCancelRequested, Op: "@1/1"}, {Kind: history.TimerCancelled, Op: "@1/7"}, {Kind: history.ChildCancelRequested, Op: "@1/3", Payload: text(`[]`)}})
	waiting.Wake = at(3600)
	waiting.Attempts = []history.Attempt{{Op: "@1/1", Number: 2, Failures: 1, Next: at(9), Details: text(`{"done":5}`), Failure: failure, Heard: at(8), Began: at(7),
		Past: history.Past{{Number: 1, Began: at(2), Ended: at(3), Failure: &history.Failure{Name: "Busy", Message: "no", Status: 503, Timeout: "heartbeat"}}}}}
	waiting.Send = []history.Mail{{To: "waiting", Event: history.Event{Kind: history.SignalReceived, Name: "hello", Run: "other", Payload: text(`[1]`)}},
		{To: "waiting", Number: 1, Event: history.Event{Kind: history.CancelRequested, Payload: text(`["why"]`)}}}
	continued := turn("continued", 1, started, []history.Event{{Kind: history.RunContinued, Payload: text(`[8]`)}})
	continued.Start = begin("continued").Start
	halted := turn("halted", 1, started, nil)
	halted.Halt = "NonDeterminismError: expected @1/1 charge"
	commit(t, s, me, begin("waiting"), begin("completed"), begin("failed"), begin("cancelled"), begin("continued"), begin("halted"), waiting,
		turn("completed", 1, started, nil),
		turn("completed", 2, []history.Event{{Kind: history.ActivityCompleted, Op: "@1/1", Payload: text(`[1]`),
			Attempts: history.Past{{Number: 1}, {Number: 2, Began: at(1)}, {Number: 3, Began: at(1), Ended: at(2), Failure: &history.Failure{Name: "E"}}, {Number: 9, Began: at(2), Ended: at(2)}}}, {Kind: history.TimerFired, Op: "@1/2"},
			{Kind: history.ChildCompleted, Op: "@1/3", Payload: text(`[]`)}, {Kind: history.ChildFailed, Op: "@1/4", Failure: failure}, {Kind: history.SignalReceived, Name: "s", Payload: text(`[]`)},
			{Kind: history.SignalDelivered, Op: "@1/5"}, {Kind: history.SignalFailed, Op: "@1/6", Failure: failure}, {Kind: history.ChunkEntered, Name: "=1", Payload: text(`["x = 1",1]`)}},
			[]history.Event{{Kind: history.RunCompleted, Payload: text(`["done",null]`)}}),
		turn("failed", 1, append(started, history.Event{Kind: history.ActivityFailed, Op: "@1/1", Failure: failure}), []history.Event{{Kind: history.RunFailed, Failure: failure}}),
		turn("cancelled", 1, append(started, history.Event{Kind: history.RunTerminated, Failure: failure}), []history.Event{{Kind: history.RunCancelled, Failure: failure}}),
		continued, halted)
}
