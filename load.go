package flowlua

import (
	"context"
	"fmt"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// load makes the state machine of the run: a new one, or from its history. Then what the run has begun and does not have in
// memory goes on.
func (r *execution) load() error {
	e := r.engine
	ctx := context.Background()
	if r.program == nil {
		program, err := e.programs.stored(ctx, e.store, r.run.Program)
		if err != nil {
			return fmt.Errorf("flowlua: run %q: its script cannot be loaded: %w", r.run.ID, err)
		}
		r.runs(program)
	}
	if r.turn == 0 {
		return r.openNew()
	}
	var log workflow.Log
	if err := r.openOld(&log); err != nil {
		return err
	}
	attempts, err := e.store.Attempts(ctx, r.run.Ref)
	if err != nil {
		return fmt.Errorf("flowlua: run %q: %w", r.run.ID, err)
	}
	open := log.Open()
	if err := r.missingOpen(open); err != nil {
		return err
	}
	r.turn, r.last = log.Turns, log.Last
	r.goOn(open, attempts)
	return nil
}

func (r *execution) openNew() error {
	if r.engine.config.Verify {
		f, err := workflow.NewVerified(r.config())
		if err == nil {
			r.flow = f
		}
		return err
	}
	f, err := workflow.New(r.config())
	if err == nil {
		r.flow = f
	}
	return err
}

func (r *execution) openOld(log *workflow.Log) error {
	turns := log.Following(r.engine.store.Turns(context.Background(), r.run.Ref, 0))
	if r.engine.config.Verify {
		f, err := workflow.ReplayVerified(r.config(), turns)
		if err == nil {
			r.flow = f
		}
		return err
	}
	f, err := workflow.Replay(r.config(), turns)
	if err == nil {
		r.flow = f
	}
	return err
}

// goOn takes up what is open and not in memory: all of it after a restart, nothing after an eviction.
func (r *execution) goOn(open []workflow.OpenOperation, attempts []history.Attempt) {
	r.engine.alarms.drop(r.waking)
	r.waking = nil
	known := make(map[string]*history.Attempt, len(attempts))
	for i := range attempts {
		known[attempts[i].Op] = &attempts[i]
	}
	now := time.Now()
	for i := range open {
		o := &open[i]
		switch o.Event.Kind {
		case history.ActivityScheduled:
			if r.tasks[o.Event.Op] == nil {
				t := new(task)
				r.newTask(t, &o.Event)
				t.takeUp(o, known[o.Event.Op], now)
			}
		case history.TimerStarted:
			if r.timers[o.Event.Op] == nil {
				r.startTimer(&o.Event)
			}
		case history.ChildStarted:
			r.hasChild(&o.Event)
		}
	}
}
