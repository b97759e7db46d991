package virtual

import (
	"fmt"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// Run is one run in a World.
type Run struct {
	world      *World
	ref        history.Ref
	parent     *history.Parent
	start      Start
	config     workflow.Config
	execution  *workflow.Execution
	verified   *workflow.Verified
	inbox      []history.Event
	turns      []history.Turn
	activities map[string]*activity
	timers     map[string]*item
	children   map[string]*Run // open ones, by operation
	stubbed    map[string]*stubbedChild
	closed     bool
}

func (w *World) begin(ref history.Ref, s Start, parent *history.Parent) (*Run, error) {
	if old := w.runs[ref.ID]; old != nil && old.ref.Number >= ref.Number {
		return nil, fmt.Errorf("virtual: run %q is there already", ref.ID)
	}
	r := &Run{world: w, ref: ref, parent: parent, start: s, activities: map[string]*activity{}, timers: map[string]*item{}, children: map[string]*Run{}, stubbed: map[string]*stubbedChild{}}
	r.config = workflow.Config{Program: s.Program, Workflow: s.Workflow, Run: ref, Parent: parent, Limits: w.config.Limits, Library: s.Library, Cover: w.config.Cover}
	if w.config.Print != nil {
		r.config.Print = func(line string) { w.config.Print(ref.ID, line) }
	}
	var err error
	if s.Trust {
		r.execution, err = workflow.New(r.config)
	} else if r.verified, err = workflow.NewVerified(r.config); err == nil {
		r.execution, r.verified.Each = r.verified.Execution, w.config.Each
	}
	if err != nil {
		return nil, err
	}
	w.runs[ref.ID] = r
	w.all = append(w.all, r)
	r.Happen(history.Event{Kind: history.RunStarted, Name: s.Workflow, Payload: s.Input})
	return r, nil
}

// Happen puts an event into the next turn.
func (r *Run) Happen(ev history.Event) {
	if r.closed {
		return
	}
	if len(r.inbox) == 0 {
		r.world.ready = append(r.world.ready, r)
	}
	r.inbox = append(r.inbox, ev)
}

func (r *Run) turn() error {
	events := r.inbox
	r.inbox = nil
	if r.closed {
		return nil
	}
	turn := r.execution.Turn
	if r.verified != nil {
		turn = r.verified.Turn
	}
	decisions, err := turn(r.world.now, events)
	if err != nil {
		return err
	}
	t := history.Turn{Seq: int64(len(r.turns) + 1), Time: r.world.now, Events: events, Decisions: append([]history.Event(nil), decisions...)}
	r.turns = append(r.turns, t)
	for i := range t.Decisions {
		if err := r.act(&t.Decisions[i]); err != nil {
			return err
		}
	}
	return nil
}

// act does what the run decided.
func (r *Run) act(d *history.Event) error {
	switch d.Kind {
	case history.ActivityScheduled:
		r.activities[d.Op] = r.schedule(d)
	case history.ActivityCancelRequested:
		if a := r.activities[d.Op]; a != nil {
			a.requestCancel()
		}
	case history.TimerStarted:
		r.startTimer(d)
	case history.TimerCancelled:
		r.timers[d.Op].cancel()
		delete(r.timers, d.Op)
	case history.ChildStarted:
		r.startChild(d)
	case history.ChildCancelRequested:
		if stub := r.stubbed[d.Op]; stub != nil {
			stub.cancel()
		}
		if child := r.children[d.Op]; child != nil {
			child.Happen(history.Event{Kind: history.CancelRequested, Payload: d.Payload})
		}
	case history.SignalSent:
		r.send(d)
	}
	if d.Kind.Closes() {
		return r.close(d)
	}
	return nil
}

func (r *Run) startTimer(d *history.Event) {
	op := d.Op
	fire := func() {
		delete(r.timers, op)
		r.Happen(history.Event{Kind: history.TimerFired, Op: op})
	}
	var timer *item
	timer = r.world.schedule(d.At, func() {
		if !r.start.Last {
			fire()
			return
		}
		r.world.Idle(func() {
			if !timer.off {
				fire()
			}
		})
	})
	r.timers[op] = timer
}
