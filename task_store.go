package flowlua

import (
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// store writes what is to be remembered of the attempts if the process dies; next is when the next is due, zero while one is
// made. Nothing waits for it. The task is locked.
func (t *task) store(next time.Time) {
	t.stored = true
	at := history.Attempt{Op: t.op, Number: t.number, Failures: t.failures, Details: t.newestDetails(), Failure: t.failure, Past: t.past}
	if t.state == taskRunning {
		at.Began = stamp(t.began)
		if t.current != nil && t.current.beats != nil && !t.current.beats.last.IsZero() {
			at.Heard = stamp(t.current.beats.last)
		}
	}
	if !next.IsZero() {
		at.Next = stamp(next)
	}
	e := t.run.engine
	e.commits.add(&commit{
		owner: t.run.owner,
		steps: []history.Step{{Ref: t.run.run.Ref, Attempts: []history.Attempt{at}}},
		done: func(c *commit) {
			if c.err != nil && !isFenced(c.err) {
				e.log.Warn("an attempt is not remembered", "run", t.run.run.ID, "activity", t.name, "error", c.err)
			}
		},
	})
}

func (t *task) newestDetails() []byte {
	if t.current != nil && t.current.beats != nil && t.current.beats.details != nil {
		return t.current.beats.details
	}
	return t.details
}

func (t *task) isStored() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stored
}

// takeUp goes on with an activity that another engine began: with the pause it was in, or with the next attempt, as one may
// have been made when that engine died. known is what it stored, nil for nothing.
func (t *task) takeUp(o *workflow.OpenOperation, known *history.Attempt, now time.Time) {
	e := t.run.engine
	t.mu.Lock()
	defer t.mu.Unlock()
	t.scheduled, t.cancelled = o.Began, o.CancelRequested
	var next time.Time
	lost := history.PastAttempt{Number: 1} // it is taken for begun
	if known != nil {
		lost = history.PastAttempt{Number: known.Number, Began: known.Began}
		t.failures, t.failure, t.details, t.past, next = known.Failures, known.Failure, known.Details, known.Past, known.Next
		t.stored = true
	}
	t.number = lost.Number
	if next.IsZero() { // or it was in a pause, as the next had not begun
		t.past = t.past.With(lost)
	}
	if t.cancelled {
		t.finish(history.Event{Kind: history.ActivityFailed, Op: t.op, Failure: t.cancellation("it was cancelled, and the process that performed it has ended")})
		return
	}
	if d := t.options.ScheduleToClose; d > 0 {
		t.total = e.alarms.add(t.scheduled.Add(d), func() { t.timedOut("schedule_to_close", nil) })
	}
	if next.After(now) {
		t.pause(next)
		return
	}
	t.number++
	t.store(time.Time{}) // the attempt that is about to begin
	t.number--
	t.wait(now)
	e.attempts.add(t)
}

// pause waits for the time of the next attempt. The task is locked.
func (t *task) pause(until time.Time) {
	t.state, t.current = taskPausing, nil
	t.start = t.run.engine.alarms.add(until, t.resume)
}
