package world

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/workflow"
)

// Activity is a scheduled activity with its attempts, its timeouts and its declared retry. If the session has given it a
// function, that is performed; else it waits for whoever sits at the session.
type Activity struct {
	Run     *Run
	Op      string
	Event   history.Event // how it was scheduled
	Options history.ActivityOptions
	State

	born int
	log  []stamped // of State, as it changed
	job  *job
	open bool
}

// State is how far an activity is.
type State struct {
	Attempt   int // from 1
	Began     time.Time
	Again     time.Time // when the next attempt begins; zero: it has begun
	Cancelled bool      // it was asked to stop
	Performed bool      // by a function of the session, as opposed to by hand
	Details   json.RawMessage
	Before    json.RawMessage  // details of the attempt before
	Failed    *history.Failure // the attempt before

	past                         history.Past // the attempts before
	first                        time.Time
	lifetime, close, beat, wakes time.Time
	outcome                      *history.Event // that its run is about to hear
}

type stamped struct {
	step int
	State
}

// schedule makes an activity. stamp is the step of the turn that decided on it.
func (r *Run) schedule(d *history.Event, stamp int) {
	a := &Activity{Run: r, Op: d.Op, Event: *d, open: true, born: stamp}
	if d.Activity != nil {
		a.Options = *d.Activity
	}
	now := r.world.now
	a.first = now
	a.lifetime = limit(now, a.Options.ScheduleToClose)
	r.acts[d.Op] = a
	a.offer(0)
}

// offer begins the next attempt after a delay.
func (a *Activity) offer(delay time.Duration) {
	a.stopJob()
	a.Attempt++
	a.Again = a.Run.world.now.Add(delay)
	a.Before, a.Details, a.Performed = a.Details, nil, false
	a.close, a.beat, a.wakes = time.Time{}, time.Time{}, time.Time{}
	a.changed()
}

func (a *Activity) changed() { a.log = append(a.log, stamped{a.Run.world.step(), a.State}) }

// Activities are the open ones, by their places.
func (r *Run) Activities() []*Activity {
	var list []*Activity
	for _, op := range slices.Sorted(maps.Keys(r.acts)) {
		if a := r.acts[op]; a.open && a.outcome == nil {
			list = append(list, a)
		}
	}
	return list
}

// Activities are the open ones of all runs.
func (w *World) Activities() []*Activity {
	var list []*Activity
	for _, r := range w.runs {
		list = append(list, r.Activities()...)
	}
	return list
}

func limit(from time.Time, d time.Duration) time.Time {
	if d <= 0 {
		return time.Time{}
	}
	return from.Add(d)
}

// due is when it does something next; zero: not by itself.
func (a *Activity) due() (next time.Time) {
	for _, at := range []time.Time{a.Again, a.lifetime, a.close, a.beat, a.wakes} {
		if !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

// fire does what is due.
func (a *Activity) fire() {
	due := func(at time.Time) bool { return !at.IsZero() && !at.After(a.Run.world.now) }
	switch {
	case due(a.lifetime):
		a.finish(a.Timeout("schedule_to_close"))
	case due(a.close):
		a.Fail(a.Timeout("start_to_close"))
	case due(a.beat):
		a.Fail(a.Timeout("heartbeat"))
	case due(a.Again):
		a.take()
	case due(a.wakes):
		a.wakes = time.Time{}
		a.resume()
	}
}

// take begins an attempt.
func (a *Activity) take() {
	w := a.Run.world
	a.Again, a.Began = time.Time{}, w.now
	a.close = limit(w.now, a.Options.StartToClose)
	a.beat = limit(w.now, a.Options.Heartbeat)
	if payload, ok := w.stubbed(a.Event.Name); ok {
		a.Complete(payload)
		return
	}
	if e, err := a.Run.Execution(); err == nil && !w.copied {
		a.Performed = e.Implements(a.Event.Name)
	}
	a.changed()
	if a.Performed {
		a.start()
	}
}

// Timeout is the failure of one of the four timeouts.
func (a *Activity) Timeout(which string) *history.Failure {
	return &history.Failure{Name: "TimeoutError", Message: which + " of activity " + a.Event.Name, Timeout: which, Activity: a.Event.Name, Details: a.Details}
}

// Complete ends it with results, a JSON array.
func (a *Activity) Complete(results json.RawMessage) {
	a.end(history.Event{Kind: history.ActivityCompleted, Op: a.Op, Payload: results})
}

// Fail ends the attempt; the declared retry decides what then.
func (a *Activity) Fail(f *history.Failure) {
	if o := a.Options.Retry; o != nil && !a.Cancelled && stdlib.Retryable(o, f) {
		policy := workflow.RetryPolicy(o)
		if delay, again := policy.Delay(a.first, a.Run.world.now, a.Attempt+1, nil); again {
			a.Failed = f
			if a.taken() {
				a.past = a.past.With(history.PastAttempt{Number: a.Attempt, Began: a.Began, Ended: a.Run.world.now, Failure: f})
			}
			a.offer(delay)
			return
		}
	}
	a.finish(f)
}

// Heartbeat reports details, one JSON value; nil keeps those before. What was asked to stop does so now.
func (a *Activity) Heartbeat(details json.RawMessage) {
	a.beaten(details)
	if a.Cancelled {
		a.finish(&history.Failure{Name: "CancelledError", Details: a.Details})
	}
}

func (a *Activity) beaten(details json.RawMessage) {
	if details != nil {
		a.Details = details
	}
	a.beat = limit(a.Run.world.now, a.Options.Heartbeat)
	a.changed()
}

func (a *Activity) finish(f *history.Failure) {
	failure := *f
	if failure.Activity == "" {
		failure.Activity = a.Event.Name
	}
	a.end(history.Event{Kind: history.ActivityFailed, Op: a.Op, Failure: &failure})
}

// taken says whether the attempt has begun.
func (a *Activity) taken() bool { return a.Again.IsZero() }

func (a *Activity) end(ev history.Event) {
	ev.Attempts = a.past
	if a.taken() {
		ev.Attempts = a.past.Outcome(history.PastAttempt{Number: a.Attempt, Began: a.Began, Ended: a.Run.world.now})
	}
	a.stopJob()
	a.outcome = &ev
	a.changed()
	a.Run.Happen(ev)
}

// requestCancel ends at once what nobody performs, unless it is one that is told by its heartbeats.
func (a *Activity) requestCancel() {
	if a == nil || !a.open || a.outcome != nil {
		return
	}
	a.Cancelled = true
	if !a.Again.IsZero() || !a.Performed && a.Options.Heartbeat == 0 {
		a.finish(&history.Failure{Name: "CancelledError"})
		return
	}
	a.changed()
}

// abandon is for activities of a run that has ended.
func (a *Activity) abandon() {
	a.stopJob()
	a.open = false
}

// Stub makes all attempts of an activity end at once with these results from now on, those that are open too.
func (w *World) Stub(name string, results json.RawMessage) {
	w.stubs = append(w.stubs, stub{w.step(), name, results})
	for _, a := range w.Activities() {
		if a.Event.Name == name && a.Again.IsZero() {
			a.Complete(results)
		}
	}
}

func (w *World) stubbed(name string) (json.RawMessage, bool) {
	for _, s := range slices.Backward(w.stubs) {
		if s.name == name {
			return s.payload, true
		}
	}
	return nil, false
}

// Attempts is how many attempts of an activity there have been.
func (r *Run) Attempts(op string) int {
	if a := r.acts[op]; a != nil {
		return a.Attempt
	}
	return 1
}
