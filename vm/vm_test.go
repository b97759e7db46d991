package vm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// run executes a source and returns what it printed.
func run(t testing.TB, source string, limits Limits) (string, error) {
	t.Helper()
	if limits.Instructions == 0 {
		limits.Instructions = 1e8 // what Lua does is tested, not how long it takes
	}
	var out strings.Builder
	s := New(Config{Limits: limits, Print: func(line string) { out.WriteString(line + "\n") }})
	defer s.Close()
	openTestLibraries(s, &out)
	chunk, err := Compile("test.lua", source, limits)
	if err != nil {
		return "", err
	}
	_, err = s.Call(s.Load(chunk))
	return out.String(), err
}

func lines(t testing.TB, source string) string {
	t.Helper()
	out, err := run(t, source, Limits{})
	require.NoError(t, err)
	return out
}

func trimmed(s string) string { return strings.TrimRight(s, "\n") }
