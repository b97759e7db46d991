package flowlua

import (
	"errors"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// step makes a turn of what has happened and hands it to the committer; false if nothing has.
func (r *execution) step() bool {
	events, mail, acks := r.take()
	if len(events) == 0 && !r.stirred {
		return false
	}
	if r.over() {
		for _, ack := range acks {
			ack(r.closedError())
		}
		return false
	}
	ends := terminated(events) != nil
	var err error
	if r.flow == nil && !ends {
		err = r.load()
	}
	r.stirred = false
	if err == nil && len(events) == 0 {
		return false
	}
	c := &commit{owner: r.owner, acks: acks, done: r.written, mayWait: true}
	if ends && r.flow == nil {
		r.endUnasked(c, events)
	} else if err == nil {
		err = r.decide(c, events, mail)
	}
	if missing := (*MissingActivityError)(nil); errors.As(err, &missing) {
		r.leaving(c, err)
	} else if err != nil {
		r.halting(c, err)
	}
	if r.creation != nil {
		c.steps = append([]history.Step{{Start: []history.NewRun{*r.creation}}}, c.steps...)
	}
	if store, ok := r.engine.store.(history.Preparer); ok {
		for i := range c.steps {
			store.Prepare(&c.steps[i])
		}
	}
	r.commit = c
	r.engine.commits.add(c)
	return true
}

// decide makes the turn. The error is an engine error, and nothing of the turn counts, but for a *MissingActivityError: then
// the turn does count, and what it begins is for others.
func (r *execution) decide(c *commit, events []history.Event, mail int64) error {
	now := r.now()
	decisions, err := r.flow.Turn(now, events)
	if err != nil {
		return err
	}
	c.turn = history.Turn{Seq: r.turn + 1, Time: now, Events: events, Decisions: decisions}
	step := history.Step{Ref: r.run.Ref, Turn: &c.turn, Mail: mail}
	step.Ended = r.forget(events)
	step.Wake = r.wakeAt(now, decisions)
	r.send(c, &step)
	c.steps = append(c.steps, step)
	return r.missingNew(decisions)
}

// written is told by the committer that a turn is in the store, or is not.
func (r *execution) written(c *commit) {
	err := c.err
	if err != nil && c.left != nil {
		r.engine.leavesNot(r.run.Ref)
	}
	if err == nil && r.creation == nil {
		err = c.halted // what came in this turn is not in the history; that the run was created is
		if c.left != nil && c.turn.Seq == 0 {
			err = c.left
		}
	}
	for _, ack := range c.acks {
		ack(err)
	}
	r.queue(true)
}

// committed acts upon what has been written: only now.
func (r *execution) committed(c *commit) {
	switch {
	case c.err == errFenced:
		r.release(errFenced, nil)
		if id := r.run.ID; r.engine.lease.number() == r.owner { // only this run was taken: for an upgrade, maybe
			r.engine.chores.add(func() { r.engine.reclaim(id) })
		}
		return
	case c.err != nil:
		r.engine.log.Error("run dropped, as it cannot be written", "run", r.run.ID, "error", c.err)
		r.release(c.err, nil)
		return
	case c.halted != nil:
		r.engine.log.Error("run stopped by an engine error", "run", r.run.ID, "error", c.halted)
		r.release(c.halted, nil)
		return
	case c.left != nil && c.turn.Seq == 0:
		r.leave(c)
		return
	}
	r.creation = nil
	r.turn, r.last = c.turn.Seq, c.turn.Time
	if observe := r.engine.config.Observer.Turn; observe != nil {
		observe(r.run.Ref, c.turn)
	}
	if c.left != nil {
		r.leave(c)
		return
	}
	r.act(c)
	if n := len(c.turn.Decisions); n > 0 && c.turn.Decisions[n-1].Kind.Closes() {
		r.close(c.turn.Decisions[n-1], c.next)
	}
}

// now is the time of the next turn, never before that of the last. It has no monotonic part, as what is stored has none.
func (r *execution) now() time.Time {
	now := time.Now().UTC().Round(0)
	if now.Before(r.last) {
		return r.last // the clock was set back
	}
	return now
}

func (r *execution) config() workflow.Config {
	return workflow.Config{
		Program: r.program, Workflow: r.run.Workflow, Run: r.run.Ref, Parent: r.run.Parent, Limits: r.engine.config.Limits,
		Print: r.engine.print.line, Log: r.engine.log.With("run", r.run.ID),
	}
}

// forget drops what has ended by these events, and returns the activities of which attempts are stored.
func (r *execution) forget(events []history.Event) (stored []string) {
	for i := range events {
		switch ev := &events[i]; ev.Kind {
		case history.ActivityCompleted, history.ActivityFailed:
			if t := r.tasks[ev.Op]; t != nil && t.isStored() {
				stored = append(stored, ev.Op)
			}
			delete(r.tasks, ev.Op)
		case history.TimerFired:
			delete(r.timers, ev.Op)
		case history.ChildCompleted, history.ChildFailed:
			delete(r.children, ev.Op)
		}
	}
	return stored
}

// maxTimersSeen is up to how many timers a run is left alone after a restart until the first of them is due. One that has more
// is looked at at once, as to find the first would take long in every turn.
const maxTimersSeen = 64

// wakeAt is when the run has something to do though nothing happens to it: at once if it has activities.
func (r *execution) wakeAt(now time.Time, decisions []history.Event) (first time.Time) {
	if len(r.tasks) > 0 || len(r.timers)+len(decisions) > maxTimersSeen {
		return now
	}
	earlier := func(at time.Time) {
		if first.IsZero() || at.Before(first) {
			first = at
		}
	}
	for _, al := range r.timers {
		earlier(al.at)
	}
	for i := range decisions {
		switch d := &decisions[i]; d.Kind {
		case history.ActivityScheduled:
			return now
		case history.TimerStarted:
			earlier(d.At)
		}
	}
	return first
}

// act does what the run has decided, but for what the store has done already.
func (r *execution) act(c *commit) {
	decisions := c.turn.Decisions
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
		}
	}
	r.engine.schedule(scheduled, time.Now())
	r.beginChildren(c)
}

func (r *execution) startTimer(d *history.Event) {
	op := d.Op
	if r.timers == nil {
		r.timers = map[string]*alarm{}
	}
	r.timers[op] = r.engine.alarms.add(d.At, func() { r.post(history.Event{Kind: history.TimerFired, Op: op}, nil) })
}
