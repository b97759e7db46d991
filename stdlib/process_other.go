//go:build !unix

package stdlib

import (
	"context"
	"os/exec"
	"time"
)

// shell is a command for the system's shell; it is killed when ctx ends.
func shell(ctx context.Context, command string) *exec.Cmd {
	c := exec.CommandContext(ctx, "cmd", "/C", command)
	c.WaitDelay = time.Second
	return c
}

func signalOf(*exec.ExitError) int { return 0 }
