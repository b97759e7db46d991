package stdlib

import (
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
)

// now is flow.now(): the clock of the turn, in seconds since 1970.
func (f *Flow) now(L *lua.LState) int {
	L.Push(lua.LNumber(float64(f.out.Now().UnixNano()) / float64(time.Second)))
	return 1
}

// sleep is flow.sleep(d). Without any time to wait it lets the others have their turn: who polls a variable that way must not
// keep them from changing it.
func (f *Flow) sleep(L *lua.LState) int {
	d := checkDuration(L, 1, "flow.sleep")
	b := f.branch(L, "flow.sleep")
	if d == 0 {
		return f.rest(L, b)
	}
	return f.finish(L, b, nil, f.pause(b, d, f.site()))
}

// timer is flow.timer(d [, value]).
func (f *Flow) timer(L *lua.LState) int {
	d := checkDuration(L, 1, "flow.timer")
	b := f.branch(L, "flow.timer")
	op, err := f.beginTimer(b, d, false, f.site(), arguments(L, 2))
	if err != nil {
		return f.raise(L, b, err)
	}
	L.Push(f.promiseOf(op.Promise()))
	return 1
}

// alarm is a timer on its way: what is recorded of it and what its promise gives.
type alarm struct {
	flow   *Flow
	after  time.Duration
	values []lua.LValue
	site   scheduler.Site
	branch *scheduler.Branch
}

// beginTimer starts a timer whose promise gives the values.
func (f *Flow) beginTimer(b *scheduler.Branch, d time.Duration, daemon bool, at scheduler.Site, values []lua.LValue) (*scheduler.Operation, error) {
	a := &alarm{f, d, values, at, b}
	op, err := b.Begin(scheduler.OperationSpec{
		Kind: "timer", Name: d.String(), Daemon: daemon, Site: at, Start: a.start, Cancel: f.cancel, Result: a.result,
	})
	if err == nil && d == 0 {
		op.Complete(nil) // at once, and nothing is recorded
	}
	return op, err
}

func (a *alarm) start(op *scheduler.Operation, _ []any) error {
	op.Local = a
	a.flow.out.Begin(op, history.Event{Kind: history.TimerStarted, At: a.flow.out.Now().Add(a.after)})
	return nil
}

func (a *alarm) result(any) (any, error) { return a.values, nil }

func (a *alarm) place(e *Error) { e.site, e.branch = a.site, a.branch }

// waitUntil waits for p, but no longer than d.
func (f *Flow) waitUntil(b *scheduler.Branch, p *scheduler.Promise, d time.Duration) (any, error) {
	if p.Settled() {
		return b.Await(p)
	}
	at := f.site()
	op, err := f.beginTimer(b, d, true, at, nil)
	if err != nil {
		return nil, err
	}
	var winner int
	f.suspend(b, func() { winner, err = b.AwaitFirst(p, op.Promise()) })
	op.Promise().Cancel(nil)
	switch {
	case err != nil:
		return nil, err
	case winner == 1 && !p.Settled():
		return nil, f.late(b, d, at, "await")
	}
	return b.Await(p)
}

// late is the error of a deadline that has passed.
func (f *Flow) late(b *scheduler.Branch, d time.Duration, at scheduler.Site, timeout string) *Error {
	return &Error{Name: nameTimeout, Message: d.String() + " passed", Timeout: timeout, site: at, branch: b}
}

// checkTimeout reads an optional timeout.
func checkTimeout(L *lua.LState, n int, call string) (d time.Duration, has bool) {
	if L.Get(n) == lua.LNil {
		return 0, false
	}
	return checkDuration(L, n, call), true
}
