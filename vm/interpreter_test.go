package vm

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// The loop of our own runs only in the gopher-lua that go.mod names.
func TestKnownInterpreter(t *testing.T) {
	require.NotNil(t, threadLayout())
	of := func(version string, replace *debug.Module) []*debug.Module {
		return []*debug.Module{{Path: "golang.org/x/sys", Version: "v0.1.0"}, {Path: "github.com/yuin/gopher-lua", Version: version, Replace: replace}}
	}
	require.True(t, knownInterpreter(nil))
	require.True(t, knownInterpreter(of(knownVersion, nil)))
	require.False(t, knownInterpreter(of("v1.1.3", nil)))
	require.False(t, knownInterpreter(of(knownVersion, &debug.Module{Path: "example.com/fork"})))

	text, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	require.Contains(t, string(text), "github.com/yuin/gopher-lua "+knownVersion)
}
