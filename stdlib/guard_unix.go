//go:build unix

package stdlib

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// guard kills the process groups of commands when this process has died without doing so: a shell that reads which groups there
// are from a pipe, whose end it sees when nobody holds the other end any more. (Linux can send a signal at the death of a
// parent, but only to the child itself, and at the death of the thread that started it.)
type guard struct {
	mu    sync.Mutex
	pipe  io.WriteCloser
	shell *exec.Cmd
}

const guarding = `
trap '' HUP INT QUIT TERM
groups=
while read -r what group; do
	case $what in
	+) groups="$groups $group" ;;
	*) rest=
		for g in $groups; do [ "$g" = "$group" ] || rest="$rest $g"; done
		groups=$rest ;;
	esac
done
for g in $groups; do kill -KILL "-$g" 2>/dev/null; done`

// start starts a command. It begins only when the guard knows of it.
func (g *guard) start(c *exec.Cmd) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.begin(); err != nil {
		return err
	}
	theirs, gate, err := os.Pipe()
	if err != nil {
		return err
	}
	defer gate.Close()
	c.ExtraFiles = []*os.File{theirs}
	err = c.Start()
	theirs.Close()
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(g.pipe, "+ %d\n", c.Process.Pid); err == nil {
		_, err = io.WriteString(gate, "\n")
	}
	if err != nil {
		gate.Close()
		_ = c.Wait() // it ends at the gate
		return fmt.Errorf("the process that guards commands has ended: %w", err)
	}
	return nil
}

func (g *guard) begin() error {
	if g.shell != nil {
		return nil
	}
	theirs, pipe, err := os.Pipe()
	if err != nil {
		return err
	}
	defer theirs.Close()
	c := exec.Command("/bin/sh", "-c", guarding)
	c.Stdin = theirs
	c.Dir = "/"
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a signal to the group of this process is not for it
	if err := c.Start(); err != nil {
		pipe.Close()
		return err
	}
	g.pipe, g.shell = pipe, c
	return nil
}

// forget takes a command that has ended from those to be killed.
func (g *guard) forget(c *exec.Cmd) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shell != nil {
		_, _ = fmt.Fprintf(g.pipe, "- %d\n", c.Process.Pid)
	}
}

// close ends the guard.
func (g *guard) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shell != nil {
		g.pipe.Close()
		_ = g.shell.Wait()
		g.shell = nil
	}
}
