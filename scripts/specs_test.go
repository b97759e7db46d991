package scripts_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/workflow/flowtest"
)

// TestSpecs runs the spec files of this folder, as flowlua test does.
func TestSpecs(t *testing.T) {
	scripts := os.DirFS(".")
	files, err := fs.Glob(scripts, "*_spec.lua")
	require.NoError(t, err)
	for _, name := range files {
		file, err := flowtest.Load(scripts, name)
		require.NoError(t, err)
		for _, test := range file.Tests {
			t.Run(name+"/"+test.Title(), func(t *testing.T) {
				result := file.Run(test, flowtest.Config{})
				if result.Status == flowtest.Failed {
					t.Errorf("%s\n%s", result.Failure.Message, strings.Join(result.Failure.Trace, "\n"))
				}
			})
		}
	}
}

// TestEveryScriptHasASpec looks for its name in the spec files.
func TestEveryScriptHasASpec(t *testing.T) {
	var specs strings.Builder
	scripts, err := filepath.Glob("*.lua")
	require.NoError(t, err)
	for _, script := range scripts {
		if strings.HasSuffix(script, flowtest.Suffix) {
			text, err := os.ReadFile(script)
			require.NoError(t, err)
			specs.WriteString(script + string(text))
		}
	}
	for _, script := range scripts {
		require.Contains(t, specs.String(), strings.TrimSuffix(script, ".lua"), "no spec file is about %s", script)
	}
}
