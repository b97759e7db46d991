package world

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// Run is the session or a child workflow.
type Run struct {
	Ref      history.Ref
	Workflow string
	Parent   *history.Parent

	world   *World
	born    int
	input   json.RawMessage
	prelude []workflow.Typed // of a child: what the session had typed
	turns   []history.Turn
	stamps  []int  // the step of each turn
	edits   []edit // of a copy

	execution *workflow.Execution // nil: to be rebuilt from the turns
	spoilt    bool                // a turn has failed in it
	inbox     []history.Event
	timers    map[string]timer
	acts      map[string]*Activity // all there have been
	children  map[string]*Run      // open ones, by operation
	closed    bool
}

type timer struct {
	at    time.Time
	order int
}

func (w *World) begin(ref history.Ref, name string, input json.RawMessage, parent *history.Parent, prelude []workflow.Typed) *Run {
	r := &Run{Ref: ref, Workflow: name, Parent: parent, world: w, born: w.step(), input: input, prelude: prelude,
		timers: map[string]timer{}, acts: map[string]*Activity{}, children: map[string]*Run{}}
	w.runs = append(w.runs, r)
	r.Happen(history.Event{Kind: history.RunStarted, Name: name, Payload: input})
	return r
}

// Happen puts an event into the next turn.
func (r *Run) Happen(ev history.Event) {
	if !r.closed {
		r.inbox = append(r.inbox, ev)
	}
}

// Turns is the history. Not to be changed.
func (r *Run) Turns() []history.Turn { return r.turns }

// Closed reports whether the run has ended.
func (r *Run) Closed() bool { return r.closed }

func (r *Run) config() workflow.Config {
	c := workflow.Config{Program: r.world.program, Workflow: r.Workflow, Run: r.Ref, Parent: r.Parent, Limits: r.world.config.Limits,
		Print: r.world.config.Print, Log: r.world.config.Log, Modules: r.world.modules()}
	c.Debug = r.world.copied
	if r.Parent != nil && !r.world.copied {
		c.Prelude = append([]workflow.Typed{}, r.prelude...)
	}
	return c
}

// Execution is the run itself, to be looked at; it is rebuilt from the history if need be.
func (r *Run) Execution() (*workflow.Execution, error) {
	if r.execution != nil {
		return r.execution, nil
	}
	e, err := r.rebuild()
	if err != nil {
		return nil, err
	}
	e.Reports()
	r.execution = e
	return e, nil
}

func (r *Run) turn() error {
	e, err := r.Execution()
	if err != nil {
		return err
	}
	events := r.inbox
	r.inbox = nil
	ended := r.world.interrupts.guard(func() { e.Interrupt(ErrInterrupted) })
	decisions, err := e.Turn(r.world.now, events)
	ended()
	if err != nil {
		r.spoilt = true
		return err
	}
	r.turns = append(r.turns, history.Turn{Seq: int64(len(r.turns) + 1), Time: r.world.now, Events: events, Decisions: decisions})
	step := r.world.step()
	r.stamps = append(r.stamps, step)
	for i := range decisions {
		r.act(&decisions[i], step<<20+i)
	}
	return nil
}

// act does what the run decided.
func (r *Run) act(d *history.Event, order int) {
	switch d.Kind {
	case history.ActivityScheduled:
		r.schedule(d, order>>20)
	case history.ActivityCancelRequested:
		r.acts[d.Op].requestCancel()
	case history.TimerStarted:
		r.timers[d.Op] = timer{d.At, order}
	case history.TimerCancelled:
		delete(r.timers, d.Op)
	case history.ChildStarted:
		parent := &history.Parent{Ref: r.Ref, Op: d.Op, OnParentClose: d.Child.OnParentClose}
		if other := r.world.Find(d.Child.ID); other != nil && !other.closed {
			r.Happen(history.Event{Kind: history.ChildFailed, Op: d.Op, Failure: &history.Failure{Name: "ChildWorkflowError", Message: fmt.Sprintf("a run with id %q is already open", d.Child.ID)}})
			return
		}
		if err := workflow.CheckChildID(r.Ref.ID, d); err != nil {
			r.Happen(history.Event{Kind: history.ChildFailed, Op: d.Op, Failure: &history.Failure{Name: "ChildWorkflowError", Message: err.Error()}})
			return
		}
		r.children[d.Op] = r.world.begin(r.world.number(d.Child.ID), d.Name, d.Payload, parent, r.typed())
	case history.ChildCancelRequested:
		if child := r.children[d.Op]; child != nil {
			child.Happen(history.Event{Kind: history.CancelRequested, Payload: d.Payload})
		}
	case history.SignalSent:
		r.send(d)
	}
	if d.Kind.Closes() {
		r.end(d)
	}
}

// typed is what a child of the run is to know: the chunks that did not fail.
func (r *Run) typed() []workflow.Typed {
	if r.Parent != nil || r.world.copied {
		return r.prelude
	}
	list := []workflow.Typed{}
	e, err := r.Execution()
	if err != nil {
		return list
	}
	for _, c := range e.Chunks() {
		if c.Err == nil {
			list = append(list, c.Typed)
		}
	}
	return list
}

// Find is the latest run of an ID, nil if there is none.
func (w *World) Find(id string) *Run {
	for _, r := range slices.Backward(w.runs) {
		if r.Ref.ID == id {
			return r
		}
	}
	return nil
}

func (w *World) number(id string) history.Ref {
	ref := history.Ref{ID: id, Number: 1}
	if before := w.Find(id); before != nil {
		ref.Number = before.Ref.Number + 1
	}
	return ref
}

func (r *Run) send(d *history.Event) {
	to := r.world.Find(d.Run)
	if to == nil || to.closed {
		r.Happen(history.Event{Kind: history.SignalFailed, Op: d.Op, Failure: &history.Failure{Name: "SignalError", Message: fmt.Sprintf("there is no open run %q", d.Run)}})
		return
	}
	to.Happen(history.Event{Kind: history.SignalReceived, Name: d.Name, Run: r.Ref.ID, Payload: d.Payload})
	r.Happen(history.Event{Kind: history.SignalDelivered, Op: d.Op})
}

// fireTimers lets those fire that are due, in the order of their starts.
func (r *Run) fireTimers() {
	var due []string
	for op, t := range r.timers {
		if !t.at.After(r.world.now) {
			due = append(due, op)
		}
	}
	slices.SortFunc(due, func(a, b string) int {
		return cmp.Or(r.timers[a].at.Compare(r.timers[b].at), cmp.Compare(r.timers[a].order, r.timers[b].order))
	})
	for _, op := range due {
		delete(r.timers, op)
		r.Happen(history.Event{Kind: history.TimerFired, Op: op})
	}
}

// end tells everybody whom the end of the run concerns.
func (r *Run) end(d *history.Event) {
	r.closed = true
	r.inbox = nil
	clear(r.timers)
	for _, a := range r.Activities() {
		a.abandon()
	}
	for _, op := range slices.Sorted(maps.Keys(r.children)) {
		child := r.children[op]
		if child == nil { // of a copy: nobody performs it
			continue
		}
		if ev, told := workflow.ParentClosed(child.Parent.OnParentClose, "the parent has closed"); told {
			child.Happen(ev)
		}
	}
	parent := r.parent()
	if d.Kind == history.RunContinued {
		next := r.world.begin(r.world.number(r.Ref.ID), r.Workflow, d.Payload, r.Parent, r.prelude)
		next.inbox = append(next.inbox, r.execution.Untaken()...)
		if parent != nil {
			parent.children[r.Parent.Op] = next
		}
		return
	}
	if parent != nil && parent.children[r.Parent.Op] == r {
		delete(parent.children, r.Parent.Op)
		parent.Happen(workflow.ChildOutcome(r.Parent.Op, r.Ref.ID, r.Workflow, d))
	}
}

func (r *Run) parent() *Run {
	if r.Parent == nil {
		return nil
	}
	for _, other := range r.world.runs {
		if other.Ref == r.Parent.Ref {
			return other
		}
	}
	return nil
}

func (r *Run) close() {
	for _, a := range r.acts {
		a.stopJob()
	}
	if r.execution != nil {
		r.execution.Close()
		r.execution = nil
	}
}
