package operate

import (
	"context"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// account is the history of a run while it is checked.
type account struct {
	*checking
	run      *history.Run
	applied  history.Run
	log      workflow.Log
	begun    map[string]history.Kind
	outcomes map[string]int64 // the turn in which each operation ended
}

func (a *account) turn(t *history.Turn) {
	ref := a.run.Ref
	if want := a.applied.Turns + 1; t.Seq != want {
		a.problem(ref, "turn %d is where turn %d was expected", t.Seq, want)
	}
	if a.applied.Status != history.Open {
		a.problem(ref, "turn %d comes after the end", t.Seq)
	}
	if t.Time.Before(a.log.Last) {
		a.problem(ref, "turn %d is earlier than the turn before", t.Seq)
	}
	for i := range t.Events {
		a.event(t, i)
	}
	for i := range t.Decisions {
		d := &t.Decisions[i]
		if !d.Kind.Decision() {
			a.problem(ref, "turn %d has %s among its decisions", t.Seq, d.Kind)
		}
		switch d.Kind {
		case history.ActivityScheduled, history.TimerStarted, history.ChildStarted, history.SignalSent:
			if _, twice := a.begun[d.Op]; twice {
				a.problem(ref, "operation %s is begun twice, again in turn %d", d.Op, t.Seq)
			}
			a.begun[d.Op] = d.Kind
		}
	}
	a.applied.Apply(*t)
	a.log.Follow(t)
	a.Turns++
}

func (a *account) event(t *history.Turn, i int) {
	ev, ref := &t.Events[i], a.run.Ref
	if first := t.Seq == 1 && i == 0; first != (ev.Kind == history.RunStarted) {
		a.problem(ref, "turn %d has %s as event %d: expected RunStarted first and once", t.Seq, ev.Kind, i+1)
	}
	switch ev.Kind {
	case history.ActivityCompleted, history.ActivityFailed, history.TimerFired, history.ChildCompleted, history.ChildFailed,
		history.SignalDelivered, history.SignalFailed:
		if _, begun := a.begun[ev.Op]; !begun {
			a.problem(ref, "turn %d has %s of operation %s, which was not begun", t.Seq, ev.Kind, ev.Op)
		}
		if before := a.outcomes[ev.Op]; before > 0 {
			a.problem(ref, "operation %s ends twice, in turn %d and in turn %d", ev.Op, before, t.Seq)
		}
		a.outcomes[ev.Op] = t.Seq
		if !ev.Attempts.Ordered() {
			a.problem(ref, "turn %d has attempts of operation %s whose numbers do not grow", t.Seq, ev.Op)
		}
	}
}

// close compares what the history says with what the run is said to be.
func (a *account) close(ctx context.Context) {
	a.Events += a.log.Events
	run, said := a.run, &a.applied
	switch {
	case run.Status != said.Status:
		a.problem(run.Ref, "is %s, and %s by its history", run.Status, said.Status)
	case run.Turns != said.Turns:
		a.problem(run.Ref, "is said to have made %d turns, and has made %d", run.Turns, said.Turns)
	case string(run.State) != string(said.State), string(run.Result) != string(said.Result):
		a.problem(run.Ref, "its state or its result is not that of its history")
	case run.Status != history.Open && (run.Owner != 0 || run.Halted != "" || !run.Wake.IsZero()):
		a.problem(run.Ref, "is %s, and yet an engine has it", run.Status)
	case (run.Status == history.Open) != run.Closed.IsZero():
		a.problem(run.Ref, "is %s, and closed at %v", run.Status, run.Closed)
	}
	attempts, err := a.Store.Attempts(ctx, run.Ref)
	if err != nil {
		a.problem(run.Ref, "its attempts cannot be read: %v", err)
	}
	open := map[string]bool{}
	for _, o := range a.log.Open() {
		open[o.Event.Op] = o.Event.Kind == history.ActivityScheduled && run.Status == history.Open
	}
	for _, attempt := range attempts {
		if !open[attempt.Op] {
			a.problem(run.Ref, "remembers attempts of %s, which is not an open activity", attempt.Op)
		}
	}
}
