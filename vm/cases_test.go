package vm

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The cases that need the bounded libraries are run with them, in stdlib.
var casesOfLibraries = []string{"13-string-time-bombs", "14-table-bombs", "15-library-values", "22-signed-zero", "23-names-of-chunks"}

func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.lua")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".lua")
		if slices.Contains(casesOfLibraries, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			want, err := os.ReadFile(strings.TrimSuffix(file, ".lua") + ".expected")
			require.NoError(t, err)
			out, err := run(t, string(source), Limits{})
			require.NoError(t, err)
			require.Equal(t, string(want), out)
		})
	}
}
