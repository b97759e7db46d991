package flowlua

import (
	"fmt"

	"github.com/flowlua/flowlua/history"
)

// close ends a run whose closing decision has been committed.
func (r *execution) close(end history.Event) {
	r.end = end
	if end.Kind != history.RunContinued {
		r.release(nil, nil)
		r.tellParent(end)
		return
	}
	if next, err := r.continueAsNew(end.Payload); err != nil {
		r.halt(fmt.Errorf("flowlua: run %q is not continued: %w", r.run.ID, err))
	} else {
		r.release(nil, next)
	}
}

// halt stops a run at an engine error. Its history is as it was before the turn, and it can be taken up from there.
func (r *execution) halt(err error) {
	r.engine.log.Error("run stopped by an engine error", "run", r.run.ID, "error", err)
	r.release(err, nil)
	r.tellParent(history.Event{Kind: history.RunFailed, Failure: &history.Failure{Name: "EngineError", Message: err.Error()}})
}

// release frees what the run holds, and lets go those who wait for it.
func (r *execution) release(err error, next *execution) {
	e := r.engine
	r.err, r.next = err, next
	e.mu.Lock()
	if e.open[r.run.ID] == r {
		if next != nil {
			e.open[r.run.ID] = next
		} else {
			delete(e.open, r.run.ID)
		}
	}
	e.mu.Unlock()
	events, acks, calls := r.seal()
	if next != nil {
		next.inherit(append(r.flow.Untaken(), events...))
	}
	r.drop()
	close(r.done)
	for _, ack := range acks {
		if next != nil {
			ack(nil)
		} else {
			ack(r.closedError())
		}
	}
	for _, call := range calls {
		call(r)
	}
}

// inherit begins a run that continues another with what was meant for the ID, whatever its run.
func (r *execution) inherit(events []history.Event) {
	r.mu.Lock()
	for i := range events {
		if ev := &events[i]; ev.Kind == history.SignalReceived || ev.Kind == history.CancelRequested {
			r.inbox.Add(ev)
		}
	}
	r.wake()
}

// drop stops what still runs for this run: only daemons, unless it was terminated or stopped.
func (r *execution) drop() {
	for _, t := range r.tasks {
		t.abandon(errRunEnded)
	}
	for _, al := range r.timers {
		r.engine.alarms.drop(al)
	}
	r.closeChildren()
	r.timers = nil
	if r.flow != nil {
		r.flow.Close()
		r.flow = nil
	}
}

// abandon is the end of an open run when the engine closes.
func (r *execution) abandon() {
	r.seal()
	for _, t := range r.tasks {
		t.abandon(ErrClosed)
	}
	if r.flow != nil {
		r.flow.Close()
		r.flow = nil
	}
	r.err = ErrClosed
	close(r.done)
}
