package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func fixture(t *testing.T) *Vocabulary {
	t.Helper()
	words, err := Load(os.DirFS("testdata"))
	require.NoError(t, err)
	return words
}

// Each script in testdata says at the end of a line what is wrong with it: --> COLUMN MESSAGE; COLUMN MESSAGE.
func TestCheck(t *testing.T) {
	files, err := filepath.Glob("testdata/*.lua")
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, ".d.lua") {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			var want, got []string
			for i, line := range strings.Split(string(source), "\n") {
				if _, expected, ok := strings.Cut(line, "--> "); ok {
					for _, e := range strings.Split(expected, "; ") {
						want = append(want, fmt.Sprintf("%d:%s", i+1, e))
					}
				}
			}
			for _, p := range Check(file, string(source), fixture(t)) {
				got = append(got, fmt.Sprintf("%d:%d %s", p.Line, p.Column, p.Message))
			}
			require.Equal(t, want, got)
		})
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"near a token", "local x = 1\nlocal y = = 2\n", "f.lua:2:11: unexpected symbol near '='"},
		{"at the end", "if true then\n  print(1)\n", "f.lua:3:1: 'end' expected (to close 'if' at line 1) near '<eof>'"},
		{"a string that does not end", "local x = \"unfinished\nprint(x)\n", "f.lua:1:11: unfinished string near '\"unfinished'"},
		{"empty file is fine", "", ""},
		{"only a shebang", "#!/bin/sh", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			for _, p := range Check("f.lua", c.source, fixture(t)) {
				got += p.String()
			}
			require.Equal(t, c.want, got)
		})
	}
}
