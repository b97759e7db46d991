package explore

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// mainID is the ID of the run that is explored.
const mainID = "explored"

// run is one run on a path: the one that is explored, or a child.
type run struct {
	world    *world
	ref      history.Ref
	workflow string
	parent   *history.Parent
	cursor   cursor
	inbox    []history.Event
	calls    []*activity     // open ones
	children map[string]*run // open ones, by operation
	closed   bool
}

func (w *world) begin(ref history.Ref, name string, input json.RawMessage, parent *history.Parent) *run {
	r := &run{world: w, ref: ref, workflow: name, parent: parent}
	r.cursor.fresh = w.fresh
	r.cursor.begin(w.histories, workflow.Config{Program: w.setup.program, Workflow: name, Run: ref, Parent: parent, Limits: w.setup.limits, Library: w.setup.library})
	w.runs = append(w.runs, r)
	r.happen(history.Event{Kind: history.RunStarted, Name: name, Payload: input})
	return r
}

// happen puts an event into the next turn.
func (r *run) happen(ev history.Event) {
	if r.closed {
		return
	}
	if len(r.inbox) == 0 {
		r.world.ready = append(r.world.ready, r)
	}
	r.inbox = append(r.inbox, ev)
}

func (r *run) turn() {
	events := r.inbox
	r.inbox = nil
	if r.closed {
		return
	}
	w := r.world
	t := r.cursor.take(w.now, events)
	if t.err != nil {
		w.path.Err = t.err
		return
	}
	if w.seen != nil {
		w.seen(r, t)
	}
	if len(t.log.Decisions) == 0 {
		return
	}
	last := &w.path.Steps[len(w.path.Steps)-1]
	last.Answers = append(last.Answers, Answer{r.ref.ID, t.log.Decisions})
	for i := range t.log.Decisions {
		r.act(&t.log.Decisions[i], t)
	}
}

// act does what the run decided.
func (r *run) act(d *history.Event, t *turn) {
	w := r.world
	switch d.Kind {
	case history.ActivityScheduled:
		r.schedule(d)
	case history.ActivityCancelRequested:
		for _, a := range r.calls {
			if a.call.Op == d.Op {
				a.requestCancel()
				break
			}
		}
	case history.TimerStarted:
		w.at(d.At, item{what: timerItem, run: r, op: d.Op})
	case history.TimerCancelled:
		w.forget(func(it *item) bool { return it.run == r && it.what == timerItem && it.op == d.Op })
	case history.ChildStarted:
		r.startChild(d)
	case history.ChildCancelRequested:
		if child := r.children[d.Op]; child != nil {
			child.happen(history.Event{Kind: history.CancelRequested, Payload: d.Payload})
		}
	case history.SignalSent:
		r.send(d)
	case history.StatusSet:
		if r.ref.ID == mainID {
			w.path.Statuses = append(w.path.Statuses, d.Payload)
		}
	}
	if d.Kind.Closes() {
		r.close(d, t)
	}
}

func (r *run) startChild(d *history.Event) {
	w := r.world
	if err := workflow.CheckChildID(r.ref.ID, d); err != nil {
		r.happen(workflow.ChildNotStarted(d, "ChildStartError", err.Error()))
		return
	}
	if !slices.Contains(w.setup.program.Workflows(), d.Name) {
		r.happen(workflow.ChildNotStarted(d, "ChildStartError", "the file declares no workflow of that name"))
		return
	}
	ref := history.Ref{ID: d.Child.ID, Number: 1}
	if old := w.latest(ref.ID); old != nil {
		if !old.closed {
			r.happen(workflow.ChildNotStarted(d, "AlreadyRunning", fmt.Sprintf("run %q: already exists", ref.ID)))
			return
		}
		ref.Number = old.ref.Number + 1
	}
	parent := &history.Parent{Ref: r.ref, Op: d.Op, OnParentClose: d.Child.OnParentClose}
	if r.children == nil {
		r.children = map[string]*run{}
	}
	r.children[d.Op] = w.begin(ref, d.Name, d.Payload, parent)
}

// latest is the newest run of an ID, nil if there is none.
func (w *world) latest(id string) *run {
	for _, r := range slices.Backward(w.runs) {
		if r.ref.ID == id {
			return r
		}
	}
	return nil
}

// send delivers to the runs of this path; what goes to others arrives.
func (r *run) send(d *history.Event) {
	outcome := history.Event{Kind: history.SignalDelivered, Op: d.Op}
	if to := r.world.latest(d.Run); to != nil && to.closed {
		outcome = workflow.SignalFailed(d.Op, d.Run)
	} else if to != nil {
		to.happen(history.Event{Kind: history.SignalReceived, Name: d.Name, Run: r.ref.ID, Payload: d.Payload})
	}
	r.happen(outcome)
}

// close tells everybody whom the end of the run concerns.
func (r *run) close(d *history.Event, t *turn) {
	w := r.world
	r.closed = true
	for _, a := range slices.Clone(r.calls) {
		a.leave()
	}
	w.forget(func(it *item) bool { return it.run == r })
	for _, other := range w.runs { // in order, unlike the map
		if other.closed || other.parent == nil || other.parent.Ref != r.ref {
			continue
		}
		if ev, told := workflow.ParentClosed(other.parent.OnParentClose, "the parent has closed"); told {
			other.happen(ev)
		}
	}
	if d.Kind == history.RunContinued {
		r.goOn(d, t)
		return
	}
	if r.ref.ID == mainID {
		w.path.Closing, w.path.Status = *d, statusOf(d.Kind)
	}
	if r.parent == nil {
		return
	}
	for i := len(w.runs) - 1; i >= 0; i-- {
		if p := w.runs[i]; p.ref == r.parent.Ref {
			delete(p.children, r.parent.Op)
			p.happen(workflow.ChildOutcome(r.parent.Op, r.ref.ID, r.workflow, d))
			break
		}
	}
}

// goOn begins the run that continues this one.
func (r *run) goOn(d *history.Event, t *turn) {
	w := r.world
	next := w.begin(history.Ref{ID: r.ref.ID, Number: r.ref.Number + 1}, r.workflow, d.Payload, r.parent)
	for _, ev := range t.untaken {
		next.happen(ev)
	}
	for _, p := range w.runs {
		if r.parent != nil && p.ref == r.parent.Ref {
			p.children[r.parent.Op] = next
		}
	}
	w.step(Step{What: Continues, Run: r.ref.ID, Payload: d.Payload})
}

func statusOf(k history.Kind) history.Status {
	switch k {
	case history.RunCompleted:
		return history.Completed
	case history.RunFailed:
		return history.Failed
	case history.RunCancelled:
		return history.Cancelled
	}
	return history.Open
}
