package flowlua

import (
	"context"
	"fmt"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// makeTurn is one step of a run: what happened, what it decides, both committed together, and only then acted upon. The
// error is an engine error; the run stops where it is.
func (r *execution) makeTurn(events []history.Event) error {
	if r.err != nil || r.end.Kind != 0 {
		return r.closedError()
	}
	turn, err := r.decide(events)
	if err != nil {
		r.halt(err)
		return err
	}
	if observe := r.engine.config.Observer.Turn; observe != nil {
		observe(r.run.Ref, turn)
	}
	r.forget(turn.Events)
	r.act(turn.Decisions)
	if end := r.flow.Closing(); end.Kind != 0 {
		r.close(end)
	}
	return nil
}

// decide makes the turn and commits it.
func (r *execution) decide(events []history.Event) (history.Turn, error) {
	if r.flow == nil {
		flow, err := r.open()
		if err != nil {
			return history.Turn{}, err
		}
		r.flow = flow
	}
	now := r.now()
	decisions, err := r.flow.Turn(now, events)
	if err != nil {
		return history.Turn{}, err
	}
	turn := history.Turn{Seq: r.turn + 1, Time: now, Events: events, Decisions: decisions}
	if err := r.engine.store.Append(context.Background(), r.run.Ref, turn); err != nil {
		return history.Turn{}, fmt.Errorf("flowlua: run %q: turn %d cannot be stored: %w", r.run.ID, turn.Seq, err)
	}
	r.turn, r.last = turn.Seq, now
	return turn, nil
}

// now is the time of the next turn, never before that of the last. It has no monotonic part, as what is stored has none.
func (r *execution) now() time.Time {
	now := time.Now().UTC().Round(0)
	if now.Before(r.last) {
		return r.last // the clock was set back
	}
	return now
}

// open makes the state machine of the run.
func (r *execution) open() (flow, error) {
	if r.engine.config.Verify {
		return workflow.NewVerified(r.config())
	}
	return workflow.New(r.config())
}

func (r *execution) config() workflow.Config {
	return workflow.Config{
		Program: r.program, Workflow: r.run.Workflow, Run: r.run.Ref, Parent: r.run.Parent, Limits: r.engine.config.Limits,
		Print: r.engine.print.line, Log: r.engine.log.With("run", r.run.ID),
	}
}

// forget drops what has ended by these events.
func (r *execution) forget(events []history.Event) {
	for i := range events {
		switch ev := &events[i]; ev.Kind {
		case history.ActivityCompleted, history.ActivityFailed:
			delete(r.tasks, ev.Op)
		case history.TimerFired:
			delete(r.timers, ev.Op)
		case history.ChildCompleted, history.ChildFailed:
			delete(r.children, ev.Op)
		}
	}
}

// act does what the run has decided.
func (r *execution) act(decisions []history.Event) {
	n := 0
	for i := range decisions {
		if decisions[i].Kind == history.ActivityScheduled {
			n++
		}
	}
	scheduled := make([]*task, 0, n)
	var room []task // they are allocated by the dozen
	for i := range decisions {
		switch d := &decisions[i]; d.Kind {
		case history.ActivityScheduled:
			if len(room) == 0 {
				room = make([]task, min(n-len(scheduled), 32))
			}
			r.newTask(&room[0], d)
			scheduled, room = append(scheduled, &room[0]), room[1:]
		case history.ActivityCancelRequested:
			r.tasks[d.Op].requestCancel()
		case history.TimerStarted:
			r.startTimer(d)
		case history.TimerCancelled:
			r.engine.alarms.drop(r.timers[d.Op])
			delete(r.timers, d.Op)
		case history.ChildStarted:
			r.startChild(d)
		case history.ChildCancelRequested:
			r.cancelChild(d)
		case history.SignalSent:
			r.sendSignal(d)
		}
	}
	r.engine.schedule(scheduled)
}

func (r *execution) startTimer(d *history.Event) {
	op := d.Op
	if r.timers == nil {
		r.timers = map[string]*alarm{}
	}
	r.timers[op] = r.engine.alarms.add(d.At, func() { r.post(history.Event{Kind: history.TimerFired, Op: op}, nil) })
}
