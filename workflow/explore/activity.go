package explore

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/workflow"
)

// activity is an open call with its attempts, its timeouts and its declared retry.
type activity struct {
	run       *run
	call      *Call
	outcomes  *Outcomes
	failures  int  // of attempts; a crash is none
	hangs     bool // the attempt is not heard of
	cancelled bool // requested
	first     time.Time

	doom  *history.Failure // how all further attempts end
	hung  bool             // all further attempts hang
	works bool             // and their work is done
}

func (r *run) schedule(d *history.Event) {
	w := r.world
	n := 1
	for _, c := range w.path.Calls {
		if c.Name == d.Name {
			n++
		}
	}
	a := &activity{run: r, first: w.now, outcomes: w.setup.plausible.outcomes(d.Name, n)}
	a.call = &Call{Run: r.ref.ID, Op: d.Op, Name: d.Name, Args: d.Payload, At: w.now.Sub(epoch), Outcome: "open", Step: len(w.path.Steps),
		Key: r.ref.ID + "#" + strconv.Itoa(r.ref.Number) + d.Op}
	if d.Activity != nil {
		a.call.Options = *d.Activity
	}
	w.path.Calls = append(w.path.Calls, a.call)
	r.calls = append(r.calls, a)
	if limit := a.call.Options.ScheduleToClose; limit > 0 {
		w.after(limit, item{what: scheduleToClose, run: r, call: a})
	}
	a.try()
}

// try makes the next attempt: workers take it at once.
func (a *activity) try() {
	w := a.run.world
	a.call.Attempts = append(a.call.Attempts, Attempt{At: w.now.Sub(epoch), Outcome: "open"})
	a.hangs = false
	w.running = append(w.running, a)
	if limit := a.call.Options.StartToClose; limit > 0 {
		w.after(limit, item{what: startToClose, run: a.run, call: a})
	}
	if a.hung {
		a.hang(a.works)
	}
}

func (a *activity) attempt() *Attempt { return &a.call.Attempts[len(a.call.Attempts)-1] }

// mayHang says whether anything would end an attempt that is not heard of.
func (a *activity) mayHang() bool {
	o := &a.call.Options
	return o.StartToClose > 0 || o.ScheduleToClose > 0 || o.Heartbeat > 0 || o.ScheduleToStart > 0
}

// ends says whether failing attempts end at some time.
func (a *activity) ends() bool {
	o := &a.call.Options
	return o.Retry != nil && (o.Retry.MaxAttempts > 0 || o.Retry.Expiration > 0 || o.ScheduleToClose > 0)
}

func (a *activity) hang(worked bool) {
	w, o := a.run.world, &a.call.Options
	a.hangs = true
	a.attempt().Worked = worked
	w.running = without(w.running, a)
	switch {
	case o.Heartbeat > 0:
		w.after(o.Heartbeat, item{what: heartbeat, run: a.run, call: a})
	case o.StartToClose == 0 && o.ScheduleToClose == 0:
		w.after(o.ScheduleToStart, item{what: scheduleToStart, run: a.run, call: a})
	}
}

func (a *activity) timeout(which string) *history.Failure {
	return &history.Failure{Name: "TimeoutError", Message: which + " of activity " + a.call.Name, Timeout: which, Activity: a.call.Name}
}

// fail ends an attempt; the declared retry decides what then. It returns the pause before the next attempt, -1 for none.
func (a *activity) fail(f *history.Failure, outcome string) time.Duration {
	a.failures++
	w := a.run.world
	last := a.attempt()
	last.Outcome, last.Ended, last.Failure = outcome, w.now.Sub(epoch), f
	if o := a.call.Options.Retry; o != nil && !a.cancelled && stdlib.Retryable(o, f) {
		policy := workflow.RetryPolicy(o)
		if delay, again := policy.Delay(a.first, w.now, a.failures+1, nil); again {
			a.stop()
			w.after(delay, item{what: pause, run: a.run, call: a})
			return delay
		}
	}
	a.finish(f)
	return -1
}

// finish ends the call with a failure.
func (a *activity) finish(f *history.Failure) {
	failure := f
	if failure.Activity == "" {
		own := *f
		own.Activity = a.call.Name
		failure = &own
	}
	outcome := "failed"
	if f.Name == "CancelledError" {
		outcome = "cancelled"
	}
	if last := a.attempt(); last.Outcome == "open" {
		last.Outcome, last.Ended = outcome, a.run.world.now.Sub(epoch)
	}
	a.call.Outcome, a.call.Failure = outcome, failure
	a.end(history.Event{Kind: history.ActivityFailed, Op: a.call.Op, Failure: failure})
}

func (a *activity) complete(result json.RawMessage) {
	last := a.attempt()
	last.Outcome, last.Worked, last.Ended = "completed", true, a.run.world.now.Sub(epoch)
	a.call.Outcome, a.call.Result = "completed", result
	a.end(history.Event{Kind: history.ActivityCompleted, Op: a.call.Op, Payload: result})
}

func (a *activity) end(ev history.Event) {
	a.leave()
	a.call.Ended = a.run.world.now.Sub(epoch)
	ev.Attempts = a.call.past()
	a.run.happen(ev)
}

// leave drops what would happen to the call.
func (a *activity) leave() {
	a.run.world.forget(func(it *item) bool { return it.call == a })
	a.run.world.running = without(a.run.world.running, a)
	a.run.calls = without(a.run.calls, a)
}

// stop drops what would happen to the attempt.
func (a *activity) stop() {
	w := a.run.world
	w.forget(func(it *item) bool { return it.call == a && it.what != scheduleToClose })
	w.running = without(w.running, a)
}

// requestCancel: an attempt that is heard of learns of it, one that is not goes on to hang; in a pause there is none.
func (a *activity) requestCancel() {
	a.cancelled = true
	if !a.hangs && !slices.Contains(a.run.world.running, a) {
		a.finish(cancelledFailure)
	}
}

// crash ends the attempt without a trace: after the crash it is made again.
func (a *activity) crash() {
	if !a.hangs && !slices.Contains(a.run.world.running, a) { // in a pause, which goes on
		return
	}
	a.attempt().Outcome = "crashed"
	if a.cancelled {
		a.finish(cancelledFailure)
		return
	}
	a.stop()
	a.try()
}

var cancelledFailure = &history.Failure{Name: "CancelledError"}

// unretryable is a failure for good where attempts would never end.
func unretryable(f *history.Failure) *history.Failure {
	own, no := *f, false
	own.Retryable = &no
	return &own
}

// generic is the failure of activities of which nothing is said.
func generic(name string) *history.Failure {
	return &history.Failure{Name: "ServiceError", Kinds: []string{"ServerError", "ServiceError"}, Status: 503, Message: fmt.Sprintf("%s is not available", name)}
}

func without[T comparable](list []T, one T) []T {
	return slices.DeleteFunc(list, func(other T) bool { return other == one })
}
