package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	if os.Getenv(asFlowlua) != "" {
		main()
		return
	}
	testscript.Main(m, map[string]func(){"flowlua": main})
}

// Each file in testdata/script is one behaviour of the command. Its runs are kept in a database of its own, and $RUNS is a
// folder of recorded ones: payment-1 has completed, payment-2 has failed, payment-3 waits for a signal.
func TestScripts(t *testing.T) {
	runs, err := filepath.Abs(filepath.Join("testdata", "runs"))
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{Dir: "testdata/script", UpdateScripts: *update, RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"untimed": untimed},
		Setup: func(e *testscript.Env) error {
			e.Setenv("FLOWLUA_DB", filepath.Join(e.WorkDir, "runs.db"))
			e.Setenv("RUNS", runs)
			return nil
		},
	})
}

var seconds = regexp.MustCompile(`in [0-9]+\.[0-9]+ s\b`)

// untimed writes the standard output of the last command to a file, with TIME for how long it took.
func untimed(ts *testscript.TestScript, _ bool, args []string) {
	text := seconds.ReplaceAllString(ts.ReadFile("stdout"), "in TIME")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}
