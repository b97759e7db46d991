package flowlua

import (
	"context"
	"errors"
	"fmt"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// Terminate ends an open run at once: nothing of its script runs any more, and it has failed with an *Error that is named
// TerminatedError. Its parent is told, and its children end as their on_parent_close says. A run that nobody drives, be it halted
// or left, is ended by this engine itself; one that another engine drives is ended by that, which is asked for when this returns.
func (e *Engine) Terminate(ctx context.Context, id, reason string) error {
	return e.tell(ctx, id, workflow.Termination(reason))
}

const parentEnded = "the parent workflow has ended"

// endAlone ends a run that nobody drives without driving it, and then its children of the kind; false if somebody drives it.
func (e *Engine) endAlone(ctx context.Context, id string, ev history.Event) (ended bool, err error) {
	run, err := e.store.Run(ctx, history.Ref{ID: id})
	if err != nil || run.Status != history.Open {
		return false, nil // the error is said when it is told
	}
	if driver, err := e.driver(ctx, &run); err != nil || driver != nil {
		return false, err
	}
	r, err := e.claimOne(id)
	if err != nil || r == nil {
		return false, err
	}
	done := make(chan error, 1)
	r.post(ev, func(err error) { done <- err })
	if err := wait(ctx, e, r, done); err == errFenced {
		return false, nil
	} else if err != nil {
		return false, fmt.Errorf("flowlua: terminate run %q: %w", id, err)
	}
	return true, e.endChildren(ctx, r.run.Ref)
}

// claimOne takes a run from nobody, without setting it going; nil if it is somebody's by now.
func (e *Engine) claimOne(id string) (*execution, error) {
	e.claiming.Lock()
	defer e.claiming.Unlock()
	opened, err := e.claim([]string{id})
	if len(opened) == 0 {
		return nil, err
	}
	return opened[0], nil
}

// endChildren ends the open children of a run that was terminated, if nobody drives them; the others have been told. One that an
// engine error has halted is no child of it any more, as the parent was told of that.
func (e *Engine) endChildren(ctx context.Context, parent history.Ref) error {
	var children []string
	for child, err := range e.store.Runs(ctx, history.Filter{Parent: parent.ID, Status: history.Open}) {
		if err != nil {
			return fmt.Errorf("flowlua: children of run %q: %w", parent.ID, err)
		}
		if p := child.Parent; p.Ref == parent && (p.OnParentClose == "" || p.OnParentClose == "terminate") && child.Halted == "" {
			children = append(children, child.ID)
		}
	}
	var failed error
	for _, id := range children {
		if e.find(id) == nil {
			_, err := e.endAlone(ctx, id, workflow.Termination(parentEnded))
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// terminated is the event that ends the run without asking its script, if there is one.
func terminated(events []history.Event) *history.Event {
	for i := range events {
		if events[i].Kind == history.RunTerminated {
			return &events[i]
		}
	}
	return nil
}

// onlyEnd leaves of what has happened to a run only its termination, if there is one: whatever else there is, and may have stopped
// the run before, does not matter.
func (r *execution) onlyEnd(events []history.Event) []history.Event {
	end := terminated(events)
	switch {
	case end == nil:
		return events
	case r.turn == 0:
		return []history.Event{events[0], *end} // it begins, and ends
	}
	return []history.Event{*end}
}

// endUnasked terminates a run that is not in memory: its script need not be loaded, nor fit its history.
func (r *execution) endUnasked(c *commit, events []history.Event) {
	e := r.engine
	var log workflow.Log
	for _, err := range log.Following(e.store.Turns(context.Background(), r.run.Ref, 0)) {
		if err != nil {
			e.log.Error("the history of a run that is terminated cannot be read: its children are not told", "run", r.run.ID, "error", err)
			break
		}
	}
	r.last, r.children = log.Last, nil
	for _, o := range log.Open() {
		if o.Event.Kind == history.ChildStarted {
			r.hasChild(&o.Event)
		}
	}
	end := history.Event{Kind: history.RunFailed, Failure: terminated(events).Failure}
	c.turn = history.Turn{Seq: r.turn + 1, Time: r.now(), Events: events, Decisions: []history.Event{end}}
	step := history.Step{Ref: r.run.Ref, Turn: &c.turn}
	r.tellParent(&step, &end)
	r.closeChildren(&step)
	c.steps = append(c.steps, step)
}
