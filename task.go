package flowlua

import (
	"encoding/json"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/flowlua/flowlua/activity"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/workflow"
)

// task is one scheduled activity with all its attempts, until it has an outcome.
type task struct {
	run     *execution
	op      string // its place in the tree
	name    string // of the activity
	args    json.RawMessage
	options *history.ActivityOptions

	mu        sync.Mutex
	state     taskState
	number    int              // of the current attempt, from 1; 0 before the first
	failures  int              // attempts that have failed
	failure   *history.Failure // of the last of them
	stored    bool             // something of it is in the store
	scheduled time.Time        // when the first attempt was queued
	first     attempt
	current   *attempt // while running
	cancelled bool     // cancellation was asked for
	details   json.RawMessage
	began     time.Time    // the current attempt
	past      history.Past // the attempts before
	total     *alarm       // schedule_to_close
	start     *alarm       // schedule_to_start, or the pause before the next attempt
}

type taskState uint8

const (
	taskQueued  taskState = iota // waits for a worker
	taskRunning                  // an attempt is being made
	taskPausing                  // waits before the next attempt
	taskEnded
)

var noOptions = new(history.ActivityOptions)

func (r *execution) newTask(t *task, d *history.Event) {
	t.run, t.op, t.name, t.args, t.options = r, d.Op, d.Name, d.Payload, d.Activity
	if t.options == nil {
		t.options = noOptions
	}
	if r.tasks == nil {
		r.tasks = map[string]*task{}
	}
	r.tasks[d.Op] = t
}

// schedule queues the first attempts of tasks, at one time.
func (e *Engine) schedule(tasks []*task, now time.Time) {
	if len(tasks) == 0 {
		return
	}
	for _, t := range tasks {
		t.mu.Lock()
		t.scheduled = now
		if d := t.options.ScheduleToClose; d > 0 {
			t.total = e.alarms.add(now.Add(d), func() { t.timedOut("schedule_to_close", nil) })
		}
		t.wait(now)
		t.mu.Unlock()
	}
	e.attempts.add(tasks...)
}

// wait starts the time in which a worker has to take the task.
func (t *task) wait(now time.Time) {
	t.state = taskQueued
	if d := t.options.ScheduleToStart; d > 0 {
		t.start = t.run.engine.alarms.add(now.Add(d), func() { t.timedOut("schedule_to_start", nil) })
	}
}

// take makes the next attempt, on a worker; nil if the task no longer waits for one.
func (t *task) take() *attempt {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state != taskQueued {
		return nil
	}
	alarms := &t.run.engine.alarms
	alarms.drop(t.start)
	t.start = nil
	t.state = taskRunning
	t.number++
	a := newAttempt(t)
	t.current, t.began = a, a.started
	if t.number > 1 {
		t.store(time.Time{}) // so that it is known of if the process dies
	}
	return a
}

// completed is the outcome of an attempt that returned results. What comes after a timeout is ignored.
func (t *task) completed(a *attempt, results json.RawMessage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current != a {
		return
	}
	a.end()
	t.finish(history.Event{Kind: history.ActivityCompleted, Op: t.op, Payload: results})
}

// failed is the outcome of an attempt that failed. It is made again if the declared retry says so.
func (t *task) failed(a *attempt, f *history.Failure) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current != a {
		return
	}
	a.end()
	t.fail(f)
}

// fail ends the task, or the current attempt of it. The task is locked.
func (t *task) fail(f *history.Failure) {
	f.Activity = t.name
	if !t.cancelled && t.retry(f) {
		return
	}
	t.finish(history.Event{Kind: history.ActivityFailed, Op: t.op, Failure: activity.Bounded(f)})
}

// finish reports the outcome to the run. The task is locked.
func (t *task) finish(ev history.Event) {
	ev.Attempts = t.past
	if t.state == taskRunning {
		ev.Attempts = t.past.Outcome(history.PastAttempt{Number: t.number, Began: stamp(t.began), Ended: stamp(time.Now())})
	}
	t.release()
	t.run.post(ev, nil)
}

func (t *task) release() {
	alarms := &t.run.engine.alarms
	alarms.drop(t.total)
	alarms.drop(t.start)
	t.total, t.start, t.current, t.state = nil, nil, nil, taskEnded
}

// requestCancel brings the workflow's wish to cancel: what no worker has taken is gone at once, what runs is told.
func (t *task) requestCancel() {
	if t == nil {
		return // its outcome was on its way already
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cancelled = true
	switch t.state {
	case taskQueued, taskPausing:
		t.finish(history.Event{Kind: history.ActivityFailed, Op: t.op, Failure: t.cancellation("it was cancelled before a worker took it")})
	case taskRunning:
		t.current.stop(ErrCancelled)
	}
}

func (t *task) cancellation(message string) *history.Failure {
	return &history.Failure{Name: nameCancelled, Message: message, Activity: t.name}
}

// abandon ends the task without an outcome, since nobody waits for one any more.
func (t *task) abandon(cause error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state == taskRunning {
		if beats := t.current.beats; cause == ErrClosed && beats != nil && beats.pending {
			t.store(time.Time{}) // what was throttled, for the next attempt
		}
		t.current.lose(cause)
	}
	t.release()
}

// retry arranges the next attempt if there is to be one. The task is locked.
func (t *task) retry(f *history.Failure) bool {
	o := t.options.Retry
	if o == nil || !stdlib.Retryable(o, f) {
		return false
	}
	e := t.run.engine
	now := time.Now()
	policy := workflow.RetryPolicy(o)
	delay, again := policy.Delay(t.scheduled, now, t.failures+2, rand.Float64)
	if !again || t.options.ScheduleToClose > 0 && !now.Add(delay).Before(t.scheduled.Add(t.options.ScheduleToClose)) {
		return false
	}
	e.observeFailure(t, f, now.Add(delay))
	t.failures++
	t.failure = activity.Bounded(f)
	if t.state == taskRunning { // or else no worker took it
		t.past = t.past.With(history.PastAttempt{Number: t.number, Began: stamp(t.began), Ended: stamp(now), Failure: f})
	}
	t.pause(now.Add(delay))
	t.store(now.Add(delay))
	return true
}

// stamp is a time as histories have it.
func stamp(t time.Time) time.Time { return t.UTC().Round(0) }

// resume queues the next attempt after the pause.
func (t *task) resume() {
	t.mu.Lock()
	if t.state != taskPausing {
		t.mu.Unlock()
		return
	}
	t.wait(time.Now())
	t.mu.Unlock()
	t.run.engine.attempts.add(t)
}
