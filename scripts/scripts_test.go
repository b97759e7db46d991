// Package scripts_test runs every script of this folder, most of them on a clock of their own: an hour passes at once.
package scripts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ran is what a run of a script left behind.
type ran struct {
	printed string
	result  string // JSON
	err     error
	took    time.Duration
	turns   []history.Turn
}

// run executes a workflow of a script to its end. Its history is replayed and compared after every turn.
func run(t *testing.T, script, workflow, input string) (r ran) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	synctest.Test(t, func(t *testing.T) { r = runNow(t, script, workflow, input) })
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	require.Empty(t, left, "the script leaves something in the temporary directory")
	return r
}

// runNow is run on the real clock.
func runNow(t *testing.T, script, workflow, input string) (r ran) {
	t.Helper()
	var printed bytes.Buffer
	engine, err := flowlua.Open(":memory:", flowlua.Config{Scripts: os.DirFS("."), Print: &printed, Verify: true})
	require.NoError(t, err)
	defer func() { require.NoError(t, engine.Close(context.Background())) }()
	var argument any
	if input != "" {
		argument = json.RawMessage(input)
	}
	start := time.Now()
	started, err := engine.Start(t.Context(), workflow, argument, flowlua.StartOptions{Script: script})
	require.NoError(t, err)
	var result json.RawMessage
	r.err = started.Result(t.Context(), &result)
	r.took, r.printed, r.result = time.Since(start), printed.String(), string(result)
	for turn, err := range engine.History(t.Context(), history.Ref{ID: started.ID(), Number: 1}) {
		require.NoError(t, err)
		r.turns = append(r.turns, turn)
	}
	return r
}

// decided counts the decisions of a kind in the history.
func (r ran) decided(kind history.Kind) (n int) {
	for _, turn := range r.turns {
		for _, d := range turn.Decisions {
			if d.Kind == kind {
				n++
			}
		}
	}
	return n
}

func lines(text ...string) string { return strings.Join(text, "\n") + "\n" }

// Every script has a header that says how to run it.
func TestHeaders(t *testing.T) {
	files, err := filepath.Glob("*.lua")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		header, _, _ := strings.Cut(string(source), "\nlocal ")
		for line := range strings.Lines(header) {
			require.True(t, strings.HasPrefix(line, "--"), "%s: the header ends before the code begins", file)
		}
		require.Regexp(t, "flowlua (run scripts/"+file+"|test scripts/"+strings.TrimSuffix(strings.TrimSuffix(file, ".lua"), "_spec")+"_spec.lua)", header)
	}
}
