package flowlua

import (
	"github.com/flowlua/flowlua/history"
)

// close ends a run whose closing decision has been committed.
func (r *execution) close(end history.Event, next *execution) {
	r.end = end
	r.release(nil, next)
}

// halting makes the commit of a turn that of an engine error. The history is as it was before the turn, and the run can be
// taken up from there.
func (r *execution) halting(c *commit, err error) {
	c.halted, c.turn, c.children, c.next = err, history.Turn{}, nil, nil
	step := history.Step{Ref: r.run.Ref, Halt: err.Error()}
	r.tellParent(&step, &history.Event{Kind: history.RunFailed, Failure: &history.Failure{Name: "EngineError", Message: err.Error()}})
	c.steps = []history.Step{step}
}

// release frees what the run holds, and lets go those who wait for it.
func (r *execution) release(err error, next *execution) {
	if r.over() {
		return
	}
	e := r.engine
	e.mu.Lock()
	delete(e.leaving, r)
	if e.closed {
		next = nil // whoever recovers the run finds the next one
	}
	if e.open[r.run.ID] == r {
		delete(e.open, r.run.ID)
	}
	// The next takes over before others can find it: what is older comes first.
	events, mail, acks, calls := r.seal()
	if next != nil {
		next.inherit(events, mail, acks)
		acks = nil
		e.open[r.run.ID] = next
	}
	e.mu.Unlock()
	r.err, r.next = err, next
	if next != nil {
		next.begin()
	}
	r.drop(errRunEnded)
	close(r.done)
	for _, ack := range acks {
		ack(r.closedError())
	}
	for _, call := range calls {
		call(r)
	}
}

// inherit gives a run that continues another what was meant for the ID, whatever its run.
func (r *execution) inherit(events []history.Event, mail []history.Mail, acks []func(error)) {
	r.mu.Lock()
	for i := range events {
		if ev := &events[i]; ev.Kind == history.SignalReceived || ev.Kind == history.CancelRequested {
			r.inbox.Add(ev)
		}
	}
	r.acks = append(r.acks, acks...)
	for _, m := range mail {
		if m.Seq > r.seen {
			r.seen, r.mail = m.Seq, append(r.mail, m)
		}
	}
	r.mu.Unlock()
}

// drop stops what still runs for this run: only daemons, unless it was terminated or stopped.
func (r *execution) drop(cause error) {
	for _, t := range r.tasks {
		t.abandon(cause)
	}
	for _, al := range r.timers {
		r.engine.alarms.drop(al)
	}
	r.engine.alarms.drop(r.waking)
	r.timers = nil
	r.engine.unrest(r)
	if r.flow != nil {
		r.flow.Close()
		r.flow = nil
	}
}

// abandon is the end of an open run when the engine closes.
func (r *execution) abandon() {
	if r.over() {
		return
	}
	r.seal()
	r.drop(ErrClosed)
	r.err = ErrClosed
	close(r.done)
}
