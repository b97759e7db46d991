package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
)

func TestFailureText(t *testing.T) {
	disk := &flowlua.Error{Name: "DiskFull", Message: "no space left", Stack: []string{"at save.lua:3 in save"}}
	err := &flowlua.Error{Name: "SaveError", Message: "cannot save", Cause: disk, Stack: []string{"at job.lua:9", "---continuation---", "at job.lua:2"}}
	require.Equal(t, "SaveError: cannot save\n  at job.lua:9\n  ---continuation---\n  at job.lua:2\ncaused by DiskFull: no space left\n  at save.lua:3 in save", failureText(err))
	require.Equal(t, "of the engine", failureText(errors.New("of the engine")))
}

func TestDescribe(t *testing.T) {
	text := describe(&debug.BuildInfo{
		GoVersion: "go1.26.8",
		Main:      debug.Module{Version: "v1.2.3"},
		Deps:      []*debug.Module{{Path: "github.com/yuin/gopher-lua", Version: "v1.1.2"}},
		Settings:  []debug.BuildSetting{{Key: "vcs.revision", Value: "abc123"}, {Key: "vcs.modified", Value: "true"}},
	})
	require.Regexp(t, `^flowlua    v1\.2\.3\ncommit     abc123 with changes\ngo         go1\.26\.8 \w+/\w+\ngopher-lua v1\.1\.2\n$`, text)
}

func TestReport(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		text string
	}{
		{nil, 0, ""},
		{errors.New("of the engine"), 1, "flowlua: of the engine\n"},
		{usage("wrong %s", "flag"), 2, "flowlua: wrong flag\n"},
		{exit(1, nil), 1, ""},
		{errors.Join(nil, exit(4, errors.New("late"))), 4, "flowlua: late\n"},
	} {
		var out bytes.Buffer
		require.Equal(t, c.code, report(&out, c.err))
		require.Equal(t, c.text, out.String())
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// What cannot be written is not lost in silence.
func TestLostOutput(t *testing.T) {
	for name, source := range map[string]string{"print": `print("hello")`, "result": `return "hello"`} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "job.lua")
			require.NoError(t, os.WriteFile(file, []byte(source), 0o644))
			var stderr bytes.Buffer
			code := execute([]string{"run", file, "--quiet", "--memory"}, streams{Out: full{}, Err: &stderr, Getenv: os.Getenv})
			require.Equal(t, "flowlua: no space left\n", stderr.String())
			require.Equal(t, 1, code)
		})
	}
}
