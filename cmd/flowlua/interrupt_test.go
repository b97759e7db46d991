package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// trigger interrupts when a text is written.
type trigger struct {
	text       string
	interrupts chan<- os.Signal

	mu sync.Mutex
	bytes.Buffer
}

func (w *trigger) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if strings.Contains(string(p), w.text) {
		w.interrupts <- os.Interrupt
	}
	return w.Buffer.Write(p)
}

// interruptAt runs a script in memory and interrupts when it writes a text to its output, or flowlua to the error stream.
func interruptAt(t *testing.T, script, inOut, inErr string) (code int, out, err string) {
	t.Helper()
	return interruptWith(t, script, inOut, inErr, "--memory")
}

func interruptWith(t *testing.T, script, inOut, inErr string, flags ...string) (code int, out, err string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "job.lua")
	require.NoError(t, os.WriteFile(file, []byte(script), 0o644))
	interrupts := make(chan os.Signal, 2)
	stdout := &trigger{text: inOut, interrupts: interrupts}
	stderr := &trigger{text: inErr, interrupts: interrupts}
	code = execute(append([]string{"run", file, "--quiet"}, flags...), streams{
		In: strings.NewReader(""), Out: stdout, Err: stderr, Interrupts: interrupts, Getenv: func(string) string { return "" },
	})
	return code, stdout.String(), stderr.String()
}

// The first Ctrl-C cancels the run, which cleans up.
func TestInterrupt(t *testing.T) {
	code, out, err := interruptAt(t, `
local flow = require "flow"
flow.workflow("job", function()
  return flow.try {
    function()
      print("working")
      flow.sleep("1h")
    end,
    finally = function()
      flow.sleep("1ms")
      print("cleaned up")
    end,
  }
end)`, "working", "never")
	require.Equal(t, 130, code)
	require.Equal(t, "working\ncleaned up\n", out)
	require.Equal(t, "flowlua: interrupted: the run is cancelled and cleans up; interrupt again to kill\nflowlua: interrupted\n", err)
}

// The second Ctrl-C does not wait for the clean-up.
func TestInterruptTwice(t *testing.T) {
	code, out, err := interruptAt(t, `
local flow = require "flow"
flow.workflow("job", function()
  return flow.try {
    function()
      print("working")
      flow.sleep("1h")
    end,
    finally = function() flow.sleep("2h") end,
  }
end)`, "working", "interrupted: the run")
	require.Equal(t, 130, code)
	require.Equal(t, "working\n", out)
	require.True(t, strings.HasSuffix(err, "flowlua: killed\n"), err)
}

// An activity hears of it at its next heartbeat.
func TestInterruptOfAnActivity(t *testing.T) {
	code, out, _ := interruptAt(t, `
local flow = require "flow"
local work = flow.activity("work", function()
  print("working")
  local ok, err = pcall(flow.sleep, "1h")
  print("stopped by " .. err.name)
  error(err)
end)
flow.workflow("job", function() work():await() end)`, "working", "never")
	require.Equal(t, 130, code)
	require.Equal(t, "working\nstopped by CancelledError\n", out)
}

// An interrupt ends the wait for input that does not come.
func TestInterruptOfTheInput(t *testing.T) {
	in, writer := io.Pipe()
	defer writer.Close()
	interrupts := make(chan os.Signal, 2)
	interrupts <- os.Interrupt
	var stderr bytes.Buffer
	code := execute([]string{"run", "job.lua", "--input", "-"}, streams{
		In: in, Out: io.Discard, Err: &stderr, Interrupts: interrupts, Getenv: func(string) string { return "" },
	})
	require.Equal(t, 130, code)
	require.Equal(t, "flowlua: interrupted\n", stderr.String())
}

// What ends before the interrupt reaches it has completed.
func TestInterruptTooLate(t *testing.T) {
	code, out, _ := interruptAt(t, `print("working") return "done"`, "done", "never")
	require.Equal(t, 0, code)
	require.Equal(t, "working\ndone\n", out)
}

func TestCommandsWriteToTheirStreams(t *testing.T) {
	var out bytes.Buffer
	code := execute([]string{"version"}, streams{Out: &out, Err: io.Discard, Getenv: os.Getenv})
	require.Equal(t, 0, code)
	require.Contains(t, out.String(), "gopher-lua")
}

// A run that nothing can wake says what it waits for.
func TestStuck(t *testing.T) {
	code, _, err := interruptAt(t, `
local flow = require "flow"
local answer = flow.promise("the answer")
flow.spawn(function()
  flow.sleep("1ms")
  answer:await()
end)
flow.signal("approve"):await()`, "never", "nothing is under way")
	require.Equal(t, 130, code)
	require.Contains(t, err, `flowlua: nothing is under way that could wake this run, which will wait for ever; interrupt to cancel it
  waiting for "signal 'approve'" at job.lua:8
  waiting for "the answer" at job.lua:6
`)
}

// What is kept in a file can go on, or be looked at: the last line says how.
func TestInterruptOfWhatIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.db")
	const script = `
local flow = require "flow"
flow.workflow("job", function()
  return flow.try {
    function()
      print("working")
      flow.signal("go"):await()
    end,
    finally = function() flow.sleep("2h") end,
  }
end)`
	code, _, err := interruptWith(t, script, "working", "interrupted: the run", "--db", file, "--id", "job")
	require.Equal(t, 130, code)
	require.True(t, strings.HasSuffix(err, "flowlua: killed\nThe run is open and can go on: flowlua resume job --db "+file+"\n"), err)

	code, _, err = interruptWith(t, `require("flow").sleep("1h")`+" print('working')", "never", "never", "--db", file, "--id", "other", "--timeout", "1ms")
	require.Equal(t, 4, code)
	require.Equal(t, "flowlua: timed out after 1ms\nSee what happened: flowlua show other --db "+file+"\nLook at its variables: flowlua debug other --db "+file+"\n", err)

	code, _, err = interruptWith(t, "flow.signal('go'):await()\n", "never", "nothing is under way", "--db", file, "--id", "third")
	require.Equal(t, 1, code)
	require.Contains(t, err, "global 'flow'")
	code, _, err = interruptWith(t, "require('flow').signal('go'):await()\n", "never", "nothing is under way", "--db", file, "--id", "fourth")
	require.Equal(t, 130, code)
	require.Contains(t, err, "nothing is under way that could wake this run but somebody from outside: flowlua signal fourth NAME --db "+file+", or interrupt to cancel it\n")
}
