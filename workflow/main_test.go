package workflow_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/virtual"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// preamble is what every script of the tests begins with, in one line so that lines can be told.
const preamble = `local flow = require "flow"; local a = flow.activity("a"); local b = flow.activity("b"); local log = {} `

func load(t testing.TB, script string) *workflow.Program {
	t.Helper()
	p, err := workflow.LoadProgram(fstest.MapFS{"main.lua": {Data: []byte(script)}}, "main.lua")
	require.NoError(t, err)
	return p
}

// world is a world with one run of a script that is a workflow as a whole.
type world struct {
	*virtual.World
	t   testing.TB
	run *virtual.Run
	out []string // what was printed
}

func start(t testing.TB, script string, activities map[string]virtual.Activity, input ...any) *world {
	t.Helper()
	w := &world{t: t}
	w.World = virtual.New(virtual.Config{Program: load(t, preamble+script), Activities: activities, Print: func(_, line string) { w.out = append(w.out, line) }})
	t.Cleanup(w.Close)
	var err error
	w.run, err = w.Start("r", "", input...)
	require.NoError(t, err)
	return w
}

// finish lets everything happen and returns how the run ended.
func (w *world) finish() history.Event {
	w.t.Helper()
	require.NoError(w.t, w.Run())
	return w.run.Closing()
}

// completes expects a result.
func (w *world) completes(want string) {
	w.t.Helper()
	end := w.finish()
	require.Equal(w.t, history.RunCompleted, end.Kind, "failure: %+v\nopen: %v", end.Failure, w.run.Execution().Dump())
	require.Equal(w.t, want, string(end.Payload))
}

// fails expects a failure by name and a part of its message.
func (w *world) fails(name, message string) {
	w.t.Helper()
	end := w.finish()
	require.Equal(w.t, history.RunFailed, end.Kind, "payload: %s", end.Payload)
	require.Equal(w.t, name, end.Failure.Name, end.Failure.Message)
	require.Contains(w.t, end.Failure.Message, message)
}

func (w *world) printed(lines ...string) {
	w.t.Helper()
	require.Equal(w.t, lines, w.out)
}

// decisions is the history in short: "1: ActivityScheduled a | 2: RunCompleted".
func (w *world) decisions() string {
	var turns []string
	for _, t := range w.run.Turns() {
		words := []string{}
		for _, d := range t.Decisions {
			word := d.Kind.String()
			if d.Name != "" {
				word += " " + d.Name
			}
			words = append(words, word)
		}
		turns = append(turns, strings.Join(words, ", "))
	}
	return strings.Join(turns, " | ")
}

// at does something to the run when time has passed.
func (w *world) at(d time.Duration, do func(r *virtual.Run) error) {
	w.At(d, func() { require.NoError(w.t, do(w.run)) })
}

func payload(t testing.TB, values ...any) json.RawMessage {
	t.Helper()
	if len(values) == 0 {
		return json.RawMessage("[]")
	}
	b, err := json.Marshal(values)
	require.NoError(t, err)
	return b
}
