package repl

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/virtual"
)

// TestDebugTranscripts types the transcripts in testdata/debug. Each is a txtar archive: the transcript, then run.lua, whose workflow
// "order" is the run, its input.json, and perhaps for.txt: how long it has run. "at N" in a heading is the event to begin at.
func TestDebugTranscripts(t *testing.T) {
	typeAll(t, "testdata/debug/*.txt", func(t *testing.T, archive *txtar.Archive) typist {
		texts := map[string]string{}
		for _, f := range archive.Files {
			texts[f.Name] = strings.TrimSpace(string(f.Data))
		}
		rec := recorded(t, texts)
		before := asText(t, rec)
		return func(t *testing.T, part Part) (string, error) {
			at := 0
			if _, number, ok := strings.Cut(part.Heading, " at "); ok {
				var err error
				at, err = strconv.Atoi(number)
				require.NoError(t, err)
			}
			got, err := part.RunIn(testConfig(), func(c Config) (*Session, error) { return Debug(c, &rec, at) })
			require.Equal(t, before, asText(t, rec), "the recorded run is as it was")
			return got, err
		}
	})
}

func asText(t *testing.T, rec history.Recording) string {
	text, err := json.Marshal(rec)
	require.NoError(t, err)
	return string(text)
}

// recorded runs the workflow in virtual time: charge gives what it gets, ship fails with NoTruck, others hang.
func recorded(t *testing.T, texts map[string]string) history.Recording {
	program, err := workflow.LoadProgram(fstest.MapFS{"run.lua": {Data: []byte(texts["run.lua"])}}, "run.lua")
	require.NoError(t, err)
	w := virtual.New(virtual.Config{
		Program: program,
		Activities: map[string]virtual.Activity{
			"charge": func(c virtual.Call) virtual.Plan {
				var order any
				c.Arg(1, &order)
				return virtual.Returns(order).After(2 * time.Second)
			},
			"ship": virtual.Always(virtual.Fails("NoTruck", "no truck").After(time.Second)),
		},
		Missing: virtual.Always(virtual.Hangs()),
	})
	defer w.Close()
	run, err := w.Start("order-7", "order", json.RawMessage(texts["input.json"]))
	require.NoError(t, err)
	for_, _ := time.ParseDuration(texts["for.txt"])
	require.NoError(t, w.RunFor(for_))
	return run.Recording()
}

func TestDebugErrors(t *testing.T) {
	rec := recorded(t, map[string]string{"run.lua": `require("flow").workflow("order", function() return 1 end)`, "input.json": "1"})
	_, err := Debug(testConfig(), &rec, 4)
	var wrong *NoSuchEvent
	require.True(t, errors.As(err, &wrong))
	require.Contains(t, err.Error(), "the history has 2 events")
	damaged := rec
	damaged.Sources = history.Sources{Main: "run.lua", Files: map[string]string{"run.lua": `require("flow").workflow("order", function() return 2 end)`}}
	_, err = Debug(testConfig(), &damaged, 0)
	var other *workflow.NonDeterminismError
	require.ErrorAs(t, err, &other)
	empty := rec
	empty.Turns = nil
	_, err = Debug(testConfig(), &empty, 0)
	require.ErrorContains(t, err, "has not made its first turn")
}

// TestDebugInterrupts: what was evaluated and ended by force has not happened.
func TestDebugInterrupts(t *testing.T) {
	rec := recorded(t, map[string]string{"run.lua": `local flow = require "flow" flow.workflow("order", function() local n = 1 flow.sleep(1) return n end)`, "input.json": "1"})
	var out strings.Builder
	config := testConfig()
	config.Out, config.Limits = &out, vm.Limits{Instructions: 1e5, Turn: time.Hour}
	s, err := Debug(config, &rec, 2)
	require.NoError(t, err)
	defer s.Close()
	require.Equal(t, "#2 /> ", s.Prompt())
	s.Input("n = 2")
	s.Input("n = 3 while true do end")
	require.Contains(t, out.String(), "nothing of this has happened")
	out.Reset()
	s.Input("n")
	require.Equal(t, "2\n", out.String())
	require.ElementsMatch(t, []string{"n", "next", "newproxy", "nil", "not"}, present(s.Complete("n")))
	s.Input(":tick")
	require.Equal(t, "#4*> ", s.Prompt(), "the copy has gone another way")
}

func present(names []string, _ int) []string { return names }
