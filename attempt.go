package flowlua

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/flowlua/flowlua/activity"
	"github.com/flowlua/flowlua/history"
)

// attempt is one attempt of a task. It is the context that its function gets.
type attempt struct {
	stopping
	task    *task
	number  int
	started time.Time
	before  json.RawMessage // last details of the heartbeats of the attempt before

	// Guarded by the task's mutex.
	over  bool              // it has an outcome
	lost  bool              // it has one, yet its function has not returned: another goroutine has its slot
	limit *alarm            // start_to_close
	loss  func(cause error) // told when it is lost
	beats *heartbeats       // nil before the first, unless there is a timeout
}

func newAttempt(t *task) *attempt {
	a := &t.first
	if t.number > 1 {
		a = new(attempt)
	}
	a.task, a.number, a.started, a.before = t, t.number, time.Now(), t.details
	alarms := &t.run.engine.alarms
	if d := t.options.StartToClose; d > 0 {
		a.limit = alarms.add(a.started.Add(d), func() { t.timedOut("start_to_close", a) })
	}
	if d := t.options.Heartbeat; d > 0 {
		a.beats = &heartbeats{}
		a.beats.silence = alarms.add(a.started.Add(d), a.silent)
	}
	return a
}

// end closes the attempt: its context is done, its last heartbeat is kept for the next. The task is locked.
func (a *attempt) end() {
	if a.over {
		return
	}
	a.over = true
	alarms := &a.task.run.engine.alarms
	alarms.drop(a.limit)
	a.endHeartbeats(alarms)
	a.stop(errAttemptEnded)
}

// lose ends an attempt whose function still runs: what comes of it is ignored, its slot goes to another worker. The task
// is locked.
func (a *attempt) lose(cause error) {
	e := a.task.run.engine
	a.stop(cause)
	a.end()
	a.lost = true
	if a.loss != nil {
		a.loss(cause)
	}
	a.task.current = nil
	e.lost.add(a)
	e.attempts.giveUp()
}

// onLoss sets what is told when the attempt is lost; false if it is already.
func (a *attempt) onLoss(loss func(cause error)) bool {
	a.task.mu.Lock()
	defer a.task.mu.Unlock()
	a.loss = loss
	return !a.lost
}

// attempt is the work of the pool of activities.
func (e *Engine) attempt(t *task, mine *bool) {
	a := t.take()
	if a == nil {
		return
	}
	e.observeStart(a)
	returned := false
	defer func() {
		if !returned { // runtime.Goexit: the worker is gone, the activity has failed
			t.failed(a, activity.Failure(&activity.PanicError{Activity: t.name, Value: "the activity ended its goroutine (runtime.Goexit)"}))
		}
		*mine = a.returned()
	}()
	results, err := e.perform(a)
	returned = true
	if err != nil {
		t.failed(a, a.failure(err))
		return
	}
	t.completed(a, results)
}

// perform finds the function and calls it.
func (e *Engine) perform(a *attempt) (json.RawMessage, error) {
	name := a.task.name
	if a.task.run.implements(name) {
		return e.performLua(a)
	}
	e.mu.RLock()
	f := e.activities[name]
	e.mu.RUnlock()
	if f == nil {
		return nil, e.activityNotFound(name, a.task.run)
	}
	return f.Call(a, a.task.args)
}

// failure is what an error of the activity's function means. Once cancellation was asked for, an error that says no more
// than that is the cancellation; from context.Canceled alone nobody could tell.
func (a *attempt) failure(err error) *history.Failure {
	asked := a.stopped() == ErrCancelled
	switch {
	case activity.Wraps(err, ErrCancelled), asked && activity.Wraps(err, context.Canceled):
		return &history.Failure{Name: nameCancelled, Message: "the activity was cancelled"}
	case err == context.Canceled:
		return &history.Failure{Name: "ContextCanceled", Message: "a context of the activity's own was cancelled"}
	}
	return activity.Failure(err)
}

// returned says whether the worker still has its slot.
func (a *attempt) returned() bool {
	t := a.task
	t.mu.Lock()
	defer t.mu.Unlock()
	if a.lost {
		t.run.engine.lost.remove(a)
	}
	return !a.lost
}

// info describes the attempt.
func (a *attempt) info() Attempt {
	info := a.task.info(a.number)
	info.Started = a.started
	info.Deadline, _ = a.Deadline()
	return info
}

// info describes an attempt that is not being made any more, or not yet.
func (t *task) info(number int) Attempt {
	return Attempt{
		WorkflowID: t.run.run.ID, RunNumber: t.run.run.Number, Op: t.op, Activity: t.name,
		Number: number, Scheduled: t.scheduled,
	}
}

// Attempt describes one attempt of an activity.
type Attempt struct {
	WorkflowID string    // the ID of the run
	RunNumber  int       // its number under that ID, from 1
	Op         string    // the activity's place in the execution tree
	Activity   string    // its name
	Number     int       // of the attempt, from 1
	Scheduled  time.Time // when the first attempt was queued
	Started    time.Time // when this one was taken by a worker
	Deadline   time.Time // when it times out; zero: never
}

// IdempotencyKey is the same for all attempts of one call and differs from that of every other call: hand it to a service
// that should do a thing once.
func (a Attempt) IdempotencyKey() string {
	return a.WorkflowID + "#" + strconv.Itoa(a.RunNumber) + a.Op
}

// ActivityInfo describes the attempt whose context ctx is, or was made from. Zero outside of activities.
func ActivityInfo(ctx context.Context) Attempt {
	if a, ok := ctx.Value(attemptKey{}).(*attempt); ok {
		return a.info()
	}
	return Attempt{}
}

func attemptOf(ctx context.Context, what string) (*attempt, error) {
	a, ok := ctx.Value(attemptKey{}).(*attempt)
	if !ok {
		return nil, fmt.Errorf("flowlua: %s: the context is not that of an activity", what)
	}
	return a, nil
}
