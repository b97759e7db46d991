package main

import (
	"flag"
	"os"
	"path/filepath"
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
		Setup: func(e *testscript.Env) error {
			e.Setenv("FLOWLUA_DB", filepath.Join(e.WorkDir, "runs.db"))
			e.Setenv("RUNS", runs)
			return nil
		},
	})
}
