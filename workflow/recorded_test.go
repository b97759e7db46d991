package workflow_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/virtual"
)

var recordAgain = flag.Bool("record", false, "record the histories in testdata/format1 that are not there yet")

// everything runs testdata/everything.lua with a signal that says how it is to end.
func everything(t *testing.T, how string) *virtual.World {
	p, err := workflow.LoadProgram(os.DirFS("testdata"), "everything.lua")
	require.NoError(t, err)
	w := virtual.New(virtual.Config{Program: p, Activities: activities{
		"fetch":  virtual.Attempts(virtual.Fails("Flaky", "once").After(100*time.Millisecond), virtual.Returns("fetched").After(time.Second)),
		"slow":   virtual.Always(virtual.Hangs().Beating(100, 4*time.Second)),
		"broken": virtual.Always(virtual.Fails("Broken", "always")),
	}})
	t.Cleanup(w.Close)
	run, err := w.Start("r", "everything", map[string]any{"page": "first"})
	require.NoError(t, err)
	w.At(time.Second, func() { require.NoError(t, run.Signal("go", how)) })
	if how == "wait" {
		w.At(time.Minute, func() { require.NoError(t, run.Cancel("waited enough")) })
	}
	require.NoError(t, w.RunFor(time.Hour))
	return w
}

func TestRecordedHistories(t *testing.T) {
	for how, status := range map[string]history.Status{"complete": history.Completed, "fail": history.Failed, "again": history.Continued, "wait": history.Cancelled} {
		file := filepath.Join("testdata", "format1", how+".json")
		w := everything(t, how)
		require.Equal(t, status, w.All()[0].Recording().Run.Status)
		if _, err := os.Stat(file); *recordAgain && errors.Is(err, os.ErrNotExist) {
			out, err := os.Create(file)
			require.NoError(t, err)
			_, err = w.All()[0].Recording().WriteTo(out)
			require.NoError(t, errors.Join(err, out.Close()))
		}
		t.Run(how, func(t *testing.T) {
			in, err := os.Open(file)
			require.NoError(t, err)
			defer in.Close()
			rec, err := history.ReadRecording(in)
			require.NoError(t, err)
			require.Equal(t, status, rec.Run.Status)
			p, err := workflow.NewProgram(rec.Sources)
			require.NoError(t, err)
			e, err := workflow.Replay(workflow.Config{Program: p, Workflow: rec.Run.Workflow, Run: rec.Run.Ref}, workflow.Turns(rec.Turns))
			require.NoError(t, err)
			defer e.Close()
			last := rec.Turns[len(rec.Turns)-1].Decisions
			require.Equal(t, last[len(last)-1].Kind, e.Closing().Kind)
		})
	}
}

// A session is recorded with what was typed; it stays open.
func TestRecordedSession(t *testing.T) {
	in, err := os.Open("testdata/format1/session.json")
	require.NoError(t, err)
	defer in.Close()
	rec, err := history.ReadRecording(in)
	require.NoError(t, err)
	p, err := workflow.NewProgram(rec.Sources)
	require.NoError(t, err)
	e, err := workflow.Replay(workflow.Config{Program: p, Workflow: rec.Run.Workflow, Run: rec.Run.Ref}, workflow.Turns(rec.Turns))
	require.NoError(t, err)
	defer e.Close()
	require.Zero(t, e.Closing().Kind)
	require.NotEmpty(t, e.Dump())

	for i := range rec.Turns {
		if d := rec.Turns[i].Decisions; len(d) > 0 { // the sleep that was typed
			d[0].At = d[0].At.Add(time.Second)
		}
	}
	_, err = workflow.Replay(workflow.Config{Program: p, Workflow: rec.Run.Workflow, Run: rec.Run.Ref}, workflow.Turns(rec.Turns))
	var mismatch *workflow.NonDeterminismError
	require.ErrorAs(t, err, &mismatch)
	require.Equal(t, "@3/1", mismatch.Op)
}

// TestEverythingUsesEverything keeps testdata/everything.lua honest: no kind of event is missing in its recorded histories.
func TestEverythingUsesEverything(t *testing.T) {
	seen := map[history.Kind]bool{history.RunTerminated: true, history.SignalDelivered: true, history.ChildCancelRequested: true}
	files, err := filepath.Glob("testdata/format1/*.json")
	require.NoError(t, err)
	for _, file := range files {
		in, err := os.Open(file)
		require.NoError(t, err)
		rec, err := history.ReadRecording(in)
		require.NoError(t, err)
		require.NoError(t, in.Close())
		for _, turn := range rec.Turns {
			for _, ev := range append(turn.Events, turn.Decisions...) {
				seen[ev.Kind] = true
			}
		}
	}
	for k := history.RunStarted; k <= history.RunContinued; k++ {
		if _, err := k.MarshalText(); err == nil {
			require.True(t, seen[k], "%v", k)
		}
	}
}
