package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A process that follows a run goes on with it when the one that drives it is killed.
func TestFollowerTakesOver(t *testing.T) {
	folder := t.TempDir()
	script := filepath.Join(folder, "job.lua")
	require.NoError(t, os.WriteFile(script, []byte(`print("working") require("flow").sleep("2s") return "done"`), 0o644))
	start := func() (*exec.Cmd, *bufio.Scanner, *bytes.Buffer) {
		c := exec.Command(os.Args[0], "run", script, "--id", "job", "--quiet", "--db", filepath.Join(folder, "runs.db"))
		c.Env = append(os.Environ(), asFlowlua+"=1")
		var out bytes.Buffer
		said, write := io.Pipe()
		c.Stdout, c.Stderr = io.MultiWriter(&out, write), write
		require.NoError(t, c.Start())
		return c, bufio.NewScanner(said), &out
	}
	until := func(lines *bufio.Scanner, text string) {
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				return
			}
		}
		t.Errorf("nothing said %q", text)
	}
	driver, said, _ := start()
	until(said, "working")
	follower, heard, out := start()
	until(heard, "it is followed")
	require.NoError(t, driver.Process.Kill())
	until(heard, "has ended: the run goes on here")
	until(heard, "done")
	require.NoError(t, follower.Wait())
	require.Equal(t, "done\n", out.String())
	require.Error(t, driver.Wait())
}
