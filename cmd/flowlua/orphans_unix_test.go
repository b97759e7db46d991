//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// withCommands runs two activities that wait for shell commands with children; every process of them holds a named pipe open.
const withCommands = `
local flow = require "flow"
local function busy(name, run)
  return flow.activity(name, function(pipe) run("exec 9>" .. pipe .. "; echo up >&9; sleep 600 & sleep 600; true") end)
end
local execute = busy("execute", os.execute)
local popen = busy("popen", function(line) io.popen(line):read("*a") end)
flow.workflow("main", function(pipe)
  flow.try {
    function() execute(pipe) popen(pipe) end,
    finally = function() print "cleaned up" end,
  }:await()
end)`

// TestNoOrphans: however a process of flowlua ends, the shell commands of its activities end with it, and their children.
func TestNoOrphans(t *testing.T) {
	for name, c := range map[string]struct {
		signals []os.Signal
		cleans  bool // the run cleans up
	}{
		"SIGKILL":       {[]os.Signal{os.Kill}, false},
		"Ctrl-C":        {[]os.Signal{os.Interrupt}, true},
		"Ctrl-C, twice": {[]os.Signal{os.Interrupt, os.Interrupt}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			script, pipe := filepath.Join(dir, "flow.lua"), filepath.Join(dir, "pipe")
			source := withCommands
			if len(c.signals) > 1 {
				source = strings.ReplaceAll(source, "exec 9>", "trap '' TERM; exec 9>") // nobody listens to the first
			}
			require.NoError(t, os.WriteFile(script, []byte(source), 0o600))
			require.NoError(t, syscall.Mkfifo(pipe, 0o600))
			held, err := os.OpenFile(pipe, os.O_RDWR, 0)
			require.NoError(t, err)
			defer held.Close()

			flowlua := exec.Command(os.Args[0], "run", script, "--quiet", "--db", filepath.Join(dir, "runs.db"), "--input", `"`+pipe+`"`)
			flowlua.Env = append(os.Environ(), asFlowlua+"=1")
			out, err := flowlua.StdoutPipe()
			require.NoError(t, err)
			problems, err := flowlua.StderrPipe()
			require.NoError(t, err)
			require.NoError(t, flowlua.Start())
			defer flowlua.Process.Kill()

			require.NoError(t, held.SetReadDeadline(time.Now().Add(time.Minute)))
			commands := bufio.NewReader(held)
			for range 2 {
				_, err := commands.ReadString('\n')
				require.NoError(t, err, "the commands run")
			}
			said := bufio.NewReader(problems)
			for _, signal := range c.signals {
				require.NoError(t, flowlua.Process.Signal(signal))
				if signal == os.Interrupt {
					_, _ = said.ReadString('\n') // it has heard it
				}
			}
			printed, err := io.ReadAll(out)
			require.NoError(t, err)
			_ = flowlua.Wait()
			require.Equal(t, c.cleans, strings.Contains(string(printed), "cleaned up"), "%s", printed)

			left, err := os.Open(pipe)
			require.NoError(t, err)
			defer left.Close()
			held.Close()
			require.NoError(t, left.SetReadDeadline(time.Now().Add(time.Minute)))
			_, err = io.ReadAll(left)
			require.NoError(t, err, "a process of a command lives on")
		})
	}
}
