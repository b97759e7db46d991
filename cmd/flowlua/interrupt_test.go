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

func interruptAt(t *testing.T, script, inOut, inErr string) (code int, out, err string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "job.lua")
	require.NoError(t, os.WriteFile(file, []byte(script), 0o644))
	interrupts := make(chan os.Signal, 2)
	stdout := &trigger{text: inOut, interrupts: interrupts}
	stderr := &trigger{text: inErr, interrupts: interrupts}
	code = execute([]string{"run", file, "--quiet"}, streams{
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
