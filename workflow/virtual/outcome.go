package virtual

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// Signal sends a signal to the run.
func (r *Run) Signal(name string, args ...any) error {
	payload, err := array(args)
	if err != nil {
		return err
	}
	r.Happen(history.Event{Kind: history.SignalReceived, Name: name, Payload: payload})
	return nil
}

// Cancel asks the run to cancel; reason may be nil.
func (r *Run) Cancel(reason any) error {
	payload := json.RawMessage("[]")
	if reason != nil {
		var err error
		if payload, err = array([]any{reason}); err != nil {
			return err
		}
	}
	r.Happen(history.Event{Kind: history.CancelRequested, Payload: payload})
	return nil
}

// Terminate ends the run without asking its script.
func (r *Run) Terminate(message string) {
	r.Happen(workflow.Termination(message))
}

// Ref names the run.
func (r *Run) Ref() history.Ref { return r.ref }

// Program is what it runs.
func (r *Run) Program() *workflow.Program { return r.start.Program }

// Execution is the run itself, to be queried and looked at.
func (r *Run) Execution() *workflow.Execution { return r.execution }

// Closing is the decision that ended the run; its Kind is 0 while it is open.
func (r *Run) Closing() history.Event { return r.execution.Closing() }

// Next is the run that continues this one, nil if there is none.
func (r *Run) Next() *Run {
	for _, other := range r.world.all {
		if other.ref == (history.Ref{ID: r.ref.ID, Number: r.ref.Number + 1}) {
			return other
		}
	}
	return nil
}

// Verify replays the run as it is now, unless its last turn was, or it is trusted.
func (r *Run) Verify() error {
	if r.verified == nil {
		return nil
	}
	return r.verified.Verify()
}

// Turns is the history.
func (r *Run) Turns() []history.Turn { return r.turns }

// Recording is the run as a document.
func (r *Run) Recording() history.Recording {
	return history.Recording{Format: history.Format, Run: r.Info(), Sources: r.config.Program.Sources(), Turns: r.turns}
}

// Info is what a store would know of the run.
func (r *Run) Info() history.Run {
	run := history.Run{Ref: r.ref, Workflow: r.config.Workflow, Program: r.config.Program.Hash(), Parent: r.parent, Status: history.Open}
	for _, t := range r.turns {
		if t.Seq == 1 {
			run.Created, run.Input = t.Time, t.Events[0].Payload
			run.Workflow = cmp.Or(run.Workflow, t.Events[0].Name)
		}
		run.Apply(t)
	}
	return run
}

// startChild runs a workflow of the same program, unless the world says otherwise.
func (r *Run) startChild(d *history.Event) {
	if stub := r.world.config.Stub; stub != nil {
		if plan, stubbed := stub(Call{Run: r.ref.ID, Op: d.Op, Name: d.Name, Attempt: 1, Args: d.Payload}); stubbed {
			r.stubChild(d, plan)
			return
		}
	}
	parent := &history.Parent{Ref: r.ref, Op: d.Op, OnParentClose: d.Child.OnParentClose}
	start := r.start
	start.ID, start.Workflow, start.Input, start.Last = d.Child.ID, d.Name, d.Payload, false
	err := workflow.CheckChildID(r.ref.ID, d)
	if change := r.world.config.Child; err == nil && change != nil {
		err = change(r, &start)
	}
	ref := history.Ref{ID: start.ID, Number: 1}
	if old := r.world.runs[start.ID]; err == nil && old != nil {
		if old.Closing().Kind == 0 {
			r.Happen(workflow.ChildNotStarted(d, "AlreadyRunning", fmt.Sprintf("run %q: already exists", start.ID)))
			return
		}
		ref.Number = old.ref.Number + 1
	}
	var child *Run
	if err == nil {
		child, err = r.world.begin(ref, start, parent)
	}
	if err != nil {
		r.Happen(workflow.ChildNotStarted(d, "ChildStartError", err.Error()))
		return
	}
	r.children[d.Op] = child
}

func (r *Run) send(d *history.Event) {
	to := r.world.runs[d.Run]
	if mail := r.world.config.Mail; to == nil && mail != nil &&
		mail(r, *d, func() { r.Happen(history.Event{Kind: history.SignalDelivered, Op: d.Op}) }) {
		return
	}
	if to == nil || to.closed {
		r.Happen(workflow.SignalFailed(d.Op, d.Run))
		return
	}
	to.Happen(history.Event{Kind: history.SignalReceived, Name: d.Name, Run: r.ref.ID, Payload: d.Payload})
	r.Happen(history.Event{Kind: history.SignalDelivered, Op: d.Op})
}

// close tells everybody whom the end of the run concerns.
func (r *Run) close(d *history.Event) error {
	r.closed = true
	if r.world.config.Closed != nil {
		defer r.world.config.Closed(r)
	}
	for _, op := range slices.Sorted(maps.Keys(r.activities)) {
		r.activities[op].stop()
		r.activities[op].lifetime.cancel()
	}
	for _, op := range slices.Sorted(maps.Keys(r.timers)) {
		r.timers[op].cancel()
	}
	for _, op := range slices.Sorted(maps.Keys(r.children)) {
		child := r.children[op]
		if ev, told := workflow.ParentClosed(child.parent.OnParentClose, "the parent has closed"); told {
			child.Happen(ev)
		}
	}
	if d.Kind == history.RunContinued {
		start := r.start
		start.Input = d.Payload
		next, err := r.world.begin(history.Ref{ID: r.ref.ID, Number: r.ref.Number + 1}, start, r.parent)
		if err != nil {
			return err
		}
		for _, ev := range r.execution.Untaken() {
			next.Happen(ev)
		}
		if r.parent != nil {
			r.world.runs[r.parent.ID].children[r.parent.Op] = next
		}
		return nil
	}
	if r.parent == nil {
		return nil
	}
	parent := r.world.runs[r.parent.ID]
	delete(parent.children, r.parent.Op)
	parent.Happen(workflow.ChildOutcome(r.parent.Op, r.ref.ID, r.config.Workflow, d))
	return nil
}
