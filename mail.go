package flowlua

import (
	"context"

	"github.com/flowlua/flowlua/history"
)

// collect brings the mail that has come since the last time to the runs.
func (e *Engine) collect() { e.collectFrom(-1) }

// collectFrom brings the mail after a Seq; -1: after the last that was seen. What a run has had already it does not take twice.
func (e *Engine) collectFrom(after int64) {
	e.collecting.Lock()
	defer e.collecting.Unlock()
	owner := e.lease.number()
	if owner == 0 {
		return
	}
	if after < 0 {
		after = e.collected
	}
	mail, err := e.store.Inbox(context.Background(), owner, after)
	if err != nil {
		e.log.Error("mail cannot be read; it is tried again with the next", "error", err)
		return
	}
	for i := range mail {
		e.collected = max(e.collected, mail[i].Seq)
		e.deliver(&mail[i])
	}
}

// deliver brings mail to its run. One that is stored but not open yet finds it when it is: a child that begins, or the run that
// continues one which is just ending.
func (e *Engine) deliver(m *history.Mail) {
	for {
		e.mu.Lock()
		r := e.open[m.To]
		if e.closed {
			e.mu.Unlock()
			return
		}
		if r == nil {
			if e.early == nil {
				e.early = map[string][]history.Mail{}
			}
			e.early[m.To] = append(e.early[m.To], *m)
		}
		e.mu.Unlock()
		if r == nil || r.receive(m) {
			return
		}
	}
}

// receive takes mail in; false if the run has ended, and is not among the open ones any more.
func (r *execution) receive(m *history.Mail) bool {
	r.mu.Lock()
	switch {
	case r.ended:
		r.mu.Unlock()
		return false
	case m.Seq <= r.seen:
		r.mu.Unlock()
		return true
	}
	r.seen = m.Seq
	r.mail = append(r.mail, *m)
	r.wake()
	return true
}

// tellOther sends an event to a run that this engine does not drive.
func (e *Engine) tellOther(ctx context.Context, id string, ev history.Event) error {
	return e.sendError(ctx, id, e.store.Send(ctx, history.Mail{To: id, Event: ev}))
}
