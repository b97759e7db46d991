//go:build unix

package stdlib

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// shell is a command for the system's shell, which begins when somebody writes a line to its descriptor 3. When ctx ends the
// whole process group is killed, as the shell's children are the ones that work.
func shell(ctx context.Context, line string) *exec.Cmd {
	c := exec.CommandContext(ctx, "/bin/sh", "-c", `read -r line <&3 && exec 3<&- /bin/sh -c "$1"`, "sh", line)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second // a process that left the group may keep the pipes open
	return c
}

// askToEnd lets the group clean up.
func askToEnd(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }

// isLeft tells whether there is something of the group.
func isLeft(c *exec.Cmd) bool { return syscall.Kill(-c.Process.Pid, 0) == nil }

func signalOf(e *exec.ExitError) int {
	if status, is := e.Sys().(syscall.WaitStatus); is && status.Signaled() {
		return int(status.Signal())
	}
	return 0
}
