package stdlib

import (
	"context"
	"os/exec"
	"sync/atomic"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// commands are the shell commands of one activity. They are killed when ctx ends, asked to end when the cancellation of the
// activity is asked for, and killed when this process dies, however it dies.
type commands struct {
	state   *vm.State
	ctx     context.Context // ends when the activity must stop
	request *Request
	guard   guard
}

// command is one of them.
type command struct {
	*exec.Cmd
	of      *commands
	asked   atomic.Bool   // it was told to end as cancellation was asked for: what it has done is not all
	killed  func()        // told when it is killed for that; nil: nobody
	reached chan struct{} // closed when it has ended
}

// start starts a shell command; connect says where its input and output are. What was asked for already, and the script does not
// know, is raised.
func (c *commands) start(L *lua.LState, line string, connect func(*command)) (*command, error) {
	stopped(c.state, L, c.ctx)
	made := c.request.made()
	if made && !c.request.heard {
		c.request.raise(c.state, L)
	}
	x := &command{Cmd: shell(c.ctx, line), of: c, reached: make(chan struct{})}
	connect(x)
	if err := c.guard.start(x.Cmd); err != nil {
		return nil, err
	}
	if c.request != nil && !made {
		go x.watch()
	}
	return x, nil
}

// watch tells the command to end when cancellation is asked for, and kills it if it does not.
func (x *command) watch() {
	select {
	case <-x.reached:
		return
	case <-x.of.request.Done():
	}
	x.asked.Store(true)
	askToEnd(x.Cmd)
	grace := time.NewTimer(x.of.request.grace())
	defer grace.Stop()
	select {
	case <-x.reached:
		return
	case <-grace.C:
	}
	x.kill()
	if x.killed != nil {
		x.killed()
	}
}

// kill ends a command that nobody waits for any more.
func (x *command) kill() {
	if x.Cancel != nil {
		_ = x.Cancel() // it may have ended by itself
	}
}

// wait waits for the end, and gives the exit code.
func (x *command) wait() (code int, err error) {
	err = x.Cmd.Wait()
	close(x.reached)
	if x.asked.Load() {
		x.sweep()
	}
	x.of.guard.forget(x.Cmd)
	return exitCode(err)
}

// sweep waits for what the command has left behind when it was told to end, and kills it if that takes too long: it may be cleaning
// up, or have been told when it was about to begin, and know nothing of it.
func (x *command) sweep() {
	grace := time.NewTimer(x.of.request.grace())
	defer grace.Stop()
	again := time.NewTicker(glance)
	defer again.Stop()
	for isLeft(x.Cmd) {
		select {
		case <-again.C:
		case <-grace.C:
			x.kill()
			return
		}
	}
}

// glance is how often is looked for what a command has left behind.
const glance = 5 * time.Millisecond

// raise raises that the command was told to end.
func (x *command) raise(L *lua.LState) {
	if x != nil && x.asked.Load() {
		x.of.request.raise(x.of.state, L)
	}
}

// close is called when the activity has ended, and its commands too.
func (c *commands) close() { c.guard.close() }
