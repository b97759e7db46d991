package virtual

import (
	"encoding/json"
	"time"

	"github.com/flowlua/flowlua/history"
)

// Activity says what becomes of each attempt of an activity. It is asked when a worker takes the attempt.
type Activity func(call Call) Plan

// Call is one attempt.
type Call struct {
	Run     string          // ID of the run
	Op      string          // the operation in it
	Name    string          // of the activity
	Attempt int             // from 1
	Args    json.RawMessage // JSON array
	Details json.RawMessage // of the last heartbeat of the attempt before
}

// Arg decodes the n-th argument, from 1, into v; it panics if there is none such: a plan is part of a test.
func (c Call) Arg(n int, v any) {
	var args []json.RawMessage
	if err := json.Unmarshal(c.Args, &args); err != nil {
		panic(err)
	}
	if err := json.Unmarshal(args[n-1], v); err != nil {
		panic(err)
	}
}

// Plan is what an attempt does. The zero value returns nothing at once.
type Plan struct {
	Result        json.RawMessage      // JSON array; nil: no results
	Failure       *history.Failure     // how it ends instead
	Takes         time.Duration        // from when it is taken
	Hangs         bool                 // it never ends by itself
	Asks          func(end func(Plan)) // instead of Result and Failure: called after Takes, the attempt ends as the plan that it gives to end, then or later
	Heartbeats    []Heartbeat
	Alive         bool // it reports heartbeats in time until it ends, besides those
	IgnoresCancel bool // goes on after the heartbeat that tells it of a cancellation
}

// Heartbeat is reported when the attempt has run for At.
type Heartbeat struct {
	At      time.Duration
	Details any
}

// Returns plans results. It panics on values that are not JSON.
func Returns(values ...any) Plan {
	payload, err := array(values)
	if err != nil {
		panic(err)
	}
	return Plan{Result: payload}
}

// Fails plans an error with a name and a message.
func Fails(name, message string) Plan {
	return Plan{Failure: &history.Failure{Name: name, Message: message}}
}

// Hangs plans an attempt that never ends by itself.
func Hangs() Plan { return Plan{Hangs: true} }

// After is the plan with the given duration.
func (p Plan) After(d time.Duration) Plan {
	p.Takes = d
	return p
}

// Beating is the plan with n heartbeats, one every d, with their number as details.
func (p Plan) Beating(n int, d time.Duration) Plan {
	for i := 1; i <= n; i++ {
		p.Heartbeats = append(p.Heartbeats, Heartbeat{At: time.Duration(i) * d, Details: i})
	}
	return p
}

// Always plans every attempt alike.
func Always(p Plan) Activity { return func(Call) Plan { return p } }

// Attempts plans the attempts one by one; the last plan is also that of all later ones.
func Attempts(plans ...Plan) Activity {
	return func(c Call) Plan { return plans[min(c.Attempt, len(plans))-1] }
}
