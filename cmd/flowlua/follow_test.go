package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// process is a flowlua of its own whose lines are read as they come.
type process struct {
	*testing.T
	cmd   *exec.Cmd
	out   bytes.Buffer // what it has written to the standard output
	lines *bufio.Scanner
	last  string
	over  chan struct{}
}

// patience is after how long a process that does not say what it should is ended, so that the test says so.
const patience = 3 * time.Minute

func begin(t *testing.T, folder string, args ...string) *process {
	t.Helper()
	p := &process{T: t, cmd: exec.Command(os.Args[0], args...)}
	p.cmd.Dir = folder
	p.cmd.Env = append(os.Environ(), asFlowlua+"=1", "FLOWLUA_DB="+filepath.Join(folder, "runs.db"))
	said, write := io.Pipe()
	p.cmd.Stdout, p.cmd.Stderr = io.MultiWriter(&p.out, write), write
	p.lines = bufio.NewScanner(said)
	p.over = make(chan struct{})
	require.NoError(t, p.cmd.Start())
	go func() {
		_ = p.cmd.Wait()
		write.Close()
		close(p.over)
	}()
	guard := time.AfterFunc(patience, func() { _ = p.cmd.Process.Kill() })
	t.Cleanup(func() {
		guard.Stop()
		_ = p.cmd.Process.Kill()
		said.Close() // what nobody reads would keep Wait
		<-p.over
	})
	return p
}

// until reads until a line has a text in it.
func (p *process) until(text string) {
	p.Helper()
	for p.lines.Scan() {
		if p.last = p.lines.Text(); strings.Contains(p.last, text) {
			return
		}
	}
	p.Errorf("nothing said %q; the last line was %q", text, p.last)
}

// ended is the exit code.
func (p *process) ended() int {
	for p.lines.Scan() {
	}
	<-p.over
	return p.cmd.ProcessState.ExitCode()
}

// ask runs a command to its end, and gives what it wrote to the standard output.
func ask(t *testing.T, folder string, args ...string) string {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Dir, c.Stderr = folder, os.Stderr
	c.Env = append(os.Environ(), asFlowlua+"=1", "FLOWLUA_DB="+filepath.Join(folder, "runs.db"))
	out, err := c.Output()
	require.NoError(t, err)
	return string(out)
}

func folderWith(t *testing.T, script string) string {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "job.lua"), []byte(script), 0o644))
	return folder
}

// A process that follows a run goes on with it when the one that drives it is killed.
func TestFollowerTakesOver(t *testing.T) {
	folder := folderWith(t, `print("working") require("flow").sleep("2s") return "done"`)
	driver := begin(t, folder, "run", "job.lua", "--id", "job", "--quiet")
	driver.until("working")
	follower := begin(t, folder, "run", "job.lua", "--id", "job", "--quiet")
	follower.until("it is followed")
	require.NoError(t, driver.cmd.Process.Kill())
	follower.until("has ended: the run goes on here")
	follower.until("done")
	require.Zero(t, follower.ended())
	require.Contains(t, []string{"done\n", "working\ndone\n"}, follower.out.String()) // a turn that was not stored is made again
	require.NotZero(t, driver.ended())
}

// Ctrl-C of a process that follows ends the following, not the run. SIGTERM of the one that drives hands the run back.
func TestWhoFollowsAndWhoDrivesAreTold(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals there")
	}
	folder := folderWith(t, `local flow = require "flow" print("working") flow.signal("go"):await() return "done"`)
	driver := begin(t, folder, "run", "job.lua", "--id", "a job", "--quiet")
	driver.until("working")
	for _, follower := range []struct{ said, args string }{
		{"it is followed", "run|job.lua|--id|a job|--quiet"},
		{"it is followed", "resume|a job|--quiet"},
		{"for signal", "show|a j|--follow"},
	} {
		p := begin(t, folder, strings.Split(follower.args, "|")...)
		p.until(follower.said)
		require.NoError(t, p.cmd.Process.Signal(os.Interrupt))
		p.until("interrupted: run a job goes on, driven by ")
		require.True(t, strings.HasSuffix(p.last, ": flowlua cancel 'a job' cancels it"), p.last)
		require.Equal(t, exitInterrupted, p.ended())
	}
	require.Contains(t, ask(t, folder, "list", "--status", "open"), "a job")
	require.NoError(t, driver.cmd.Process.Signal(syscall.SIGTERM))
	driver.until("flowlua: terminated: run a job is handed back and stays open: flowlua resume 'a job'")
	require.Equal(t, exitTerminated, driver.ended())
	require.Contains(t, ask(t, folder, "list", "--status", "open"), "nobody drives it")

	follower := begin(t, folder, "show", "a job", "--follow")
	follower.until("for signal")
	require.NoError(t, follower.cmd.Process.Signal(os.Interrupt))
	follower.until("interrupted: run a job stays open, and nobody drives it: flowlua resume 'a job'")
	require.Equal(t, exitInterrupted, follower.ended())

	all := begin(t, folder, "resume", "--all")
	all.until("goes on after 1 turn")
	require.NoError(t, all.cmd.Process.Signal(syscall.SIGTERM))
	all.until("handed back and stay")
	require.Equal(t, exitTerminated, all.ended())
}
