package virtual

import (
	"encoding/json"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/workflow"
)

// activity is one scheduled activity with its attempts, its timeouts and its declared retry.
type activity struct {
	run       *Run
	event     *history.Event
	options   history.ActivityOptions
	first     time.Time // when the first attempt was scheduled
	attempt   int
	taken     bool
	began     time.Time    // the attempt, when it was taken
	past      history.Past // the attempts before
	cancelled bool         // requested
	over      bool
	details   json.RawMessage
	before    json.RawMessage // details of the attempt before
	lifetime  *item           // schedule_to_close
	pending   []*item         // all else that is to happen to this attempt
	heartbeat *item           // timeout
}

func (r *Run) schedule(d *history.Event) *activity {
	a := &activity{run: r, event: d, first: r.world.now}
	if d.Activity != nil {
		a.options = *d.Activity
	}
	if limit := a.options.ScheduleToClose; limit > 0 {
		a.lifetime = r.world.after(limit, func() { a.finish(a.timeout("schedule_to_close")) })
	}
	a.try(0)
	return a
}

// try offers the next attempt to the workers after a delay. Workers take at once what they know; what they do not know is never
// taken if that can time out.
func (a *activity) try(delay time.Duration) {
	a.attempt++
	a.taken, a.before, a.details = false, a.details, nil
	a.pending = append(a.pending[:0], a.run.world.after(delay, func() {
		config := &a.run.world.config
		do, known := config.Activities[a.event.Name]
		if !known {
			do = config.Missing
		}
		switch {
		case do != nil:
			a.take(do)
		case a.options.ScheduleToStart > 0:
			a.pending = append(a.pending, a.run.world.after(a.options.ScheduleToStart, func() { a.fail(a.timeout("schedule_to_start")) }))
		case a.options.ScheduleToClose == 0:
			a.finish(&history.Failure{Name: "ActivityNotFound", Message: "the world has no activity \"" + a.event.Name + "\""})
		}
	}))
}

func (a *activity) take(do Activity) {
	w, attempt := a.run.world, a.attempt
	a.taken, a.began = true, w.now
	plan := do(Call{Run: a.run.ref.ID, Op: a.event.Op, Name: a.event.Name, Attempt: a.attempt, Args: a.event.Payload, Details: a.before})
	if limit := a.options.StartToClose; limit > 0 {
		a.pending = append(a.pending, w.after(limit, func() { a.fail(a.timeout("start_to_close")) }))
	}
	a.expectHeartbeat()
	for _, h := range plan.Heartbeats {
		a.pending = append(a.pending, w.after(h.At, func() {
			details, err := json.Marshal(h.Details)
			if err != nil {
				panic(err)
			}
			a.details = details
			a.expectHeartbeat()
			if a.cancelled && !plan.IgnoresCancel {
				a.finish(&history.Failure{Name: "CancelledError", Details: details})
			}
		}))
	}
	if plan.Alive && a.options.Heartbeat > 0 {
		a.stayAlive()
	}
	if plan.Hangs {
		return
	}
	a.pending = append(a.pending, w.after(plan.Takes, func() {
		if plan.Asks == nil {
			a.conclude(plan)
			return
		}
		plan.Asks(func(answer Plan) {
			if a.attempt == attempt && a.taken && !a.over { // or it has been given up meanwhile
				a.pending = append(a.pending, w.after(answer.Takes, func() { a.conclude(answer) }))
			}
		})
	}))
}

// conclude ends an attempt as planned.
func (a *activity) conclude(plan Plan) {
	if plan.Failure != nil {
		a.fail(plan.Failure)
		return
	}
	result := plan.Result
	if result == nil {
		result = json.RawMessage("[]")
	}
	a.end(history.Event{Kind: history.ActivityCompleted, Op: a.event.Op, Payload: result})
}

// stayAlive reports the next heartbeat, and so on, as engines do: when four fifths of the time have passed.
func (a *activity) stayAlive() {
	a.pending = append(a.pending, a.run.world.after(a.options.Heartbeat*4/5, func() {
		a.expectHeartbeat()
		if a.cancelled {
			a.finish(&history.Failure{Name: "CancelledError", Details: a.details})
			return
		}
		a.stayAlive()
	}))
}

func (a *activity) expectHeartbeat() {
	if limit := a.options.Heartbeat; limit > 0 {
		a.heartbeat.cancel()
		a.heartbeat = a.run.world.after(limit, func() { a.fail(a.timeout("heartbeat")) })
	}
}

func (a *activity) timeout(which string) *history.Failure {
	return &history.Failure{Name: "TimeoutError", Message: which + " of activity " + a.event.Name, Timeout: which, Activity: a.event.Name, Details: a.details}
}

// fail ends an attempt; its declared retry decides what then.
func (a *activity) fail(f *history.Failure) {
	if o := a.options.Retry; o != nil && !a.cancelled && stdlib.Retryable(o, f) {
		policy := workflow.RetryPolicy(o)
		if delay, again := policy.Delay(a.first, a.run.world.now, a.attempt+1, a.run.world.config.Random); again {
			if a.taken {
				a.past = a.past.With(history.PastAttempt{Number: a.attempt, Began: a.began, Ended: a.run.world.now, Failure: f})
			}
			a.stop()
			a.try(delay)
			return
		}
	}
	a.finish(f)
}

// finish ends the activity with a failure.
func (a *activity) finish(f *history.Failure) {
	failure := *f
	if failure.Activity == "" {
		failure.Activity = a.event.Name
	}
	a.end(history.Event{Kind: history.ActivityFailed, Op: a.event.Op, Failure: &failure})
}

func (a *activity) end(ev history.Event) {
	ev.Attempts = a.past
	if a.taken {
		ev.Attempts = a.past.Outcome(history.PastAttempt{Number: a.attempt, Began: a.began, Ended: a.run.world.now})
	}
	a.over = true
	a.stop()
	a.lifetime.cancel()
	delete(a.run.activities, a.event.Op)
	a.run.Happen(ev)
}

func (a *activity) stop() {
	a.heartbeat.cancel()
	for _, it := range a.pending {
		it.cancel()
	}
}

// requestCancel ends at once what no worker has taken; a worker learns of it at its next heartbeat.
func (a *activity) requestCancel() {
	a.cancelled = true
	if !a.taken {
		a.finish(&history.Failure{Name: "CancelledError"})
	}
}
