//go:build unix

package stdlib

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// shell is a command for the system's shell. When ctx ends the whole process group is killed, as the shell's children
// are the ones that work.
func shell(ctx context.Context, command string) *exec.Cmd {
	c := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second // a process that left the group may keep the pipes open
	return c
}

func signalOf(e *exec.ExitError) int {
	if status, is := e.Sys().(syscall.WaitStatus); is && status.Signaled() {
		return int(status.Signal())
	}
	return 0
}
