//go:build !unix

package stdlib

import (
	"context"
	"os/exec"
	"time"
)

// shell is a command for the system's shell; it is killed when ctx ends.
func shell(ctx context.Context, line string) *exec.Cmd {
	c := exec.CommandContext(ctx, "cmd", "/C", line)
	c.WaitDelay = time.Second
	return c
}

// askToEnd kills, as there is no way to ask.
func askToEnd(c *exec.Cmd) { _ = c.Process.Kill() }

func isLeft(*exec.Cmd) bool { return false }

func signalOf(*exec.ExitError) int { return 0 }

// guard does nothing here: what a process leaves behind when it is killed goes on.
type guard struct{}

func (*guard) start(c *exec.Cmd) error { return c.Start() }
func (*guard) forget(*exec.Cmd)        {}
func (*guard) close()                  {}
