package stdlib

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLuaSpecs runs testdata/*.lua: files of chunks, cut at lines that are "---", each run on its own with the lines
// before it left empty, so that the lines of errors are those of the file. "--- error: pattern" at the end of a line
// says that the chunk fails there, with an error that matches.
func TestLuaSpecs(t *testing.T) {
	files, err := filepath.Glob("testdata/*.lua")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		name := filepath.Base(file)
		line := 0
		for _, chunk := range strings.SplitAfter(string(text), "\n---\n") {
			title, _, _ := strings.Cut(strings.TrimSpace(chunk), "\n")
			source := strings.Repeat("\n", line) + strings.TrimSuffix(chunk, "---\n")
			line += strings.Count(chunk, "\n")
			t.Run(name+"/"+strings.TrimPrefix(title, "-- "), func(t *testing.T) { runSpec(t, name, source) })
		}
	}
}

var specError = regexp.MustCompile(`--- error: (.*)$`)

func runSpec(t *testing.T, name, source string) {
	pattern, place := "", 0
	for i, line := range strings.Split(source, "\n") {
		if m := specError.FindStringSubmatch(line); m != nil {
			pattern, place = m[1], i+1
		}
	}
	_, err := runLua(t, name, source)
	if pattern == "" {
		require.NoError(t, err)
		return
	}
	require.Error(t, err)
	where, message, ok := strings.Cut(err.Error(), ": ")
	require.True(t, ok, "no position in %q", err)
	require.Equal(t, name+":"+itoa(place), where)
	require.Regexp(t, pattern, message)
}
