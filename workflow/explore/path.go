package explore

import (
	"encoding/json"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
)

// Path is what happened to a run on one path, and what it made of it.
type Path struct {
	Workflow string
	Input    json.RawMessage // a JSON array
	Choices  Choices
	Steps    []Step
	Calls    []*Call // activities, in the order in which they were scheduled
	Signals  []Signal
	Statuses []json.RawMessage // each flow.status, a JSON array of one

	Status    history.Status
	Closing   history.Event // Kind 0: the run is open
	Stuck     bool          // it is open, and nothing that could happen is left
	Awaits    []string      // signals that it waits for at the end and that were offered as often as they may come
	Cut       bool          // the path went on and on: it has reached its most steps, runs or turns
	Cancelled bool          // cancellation was asked for
	Crashes   int
	Faults    int // choices that are faults: failures, timeouts, cancellations, crashes
	Elapsed   time.Duration
	Finallies []stdlib.Finally // of the main run
	Err       error            // an engine error, or a replay that differs
}

// What says what happened in a step.
type What uint8

// What happens to an attempt of an activity, and to the run.
const (
	Starts    What = iota
	Succeeds       // the attempt returns Payload
	Fails          // with Failure
	Stops          // because it was asked to cancel
	Hangs          // nothing is heard of it until it times out; Step.Worked: its work was done
	TimesOut       // with Failure
	Crashes        // the process dies when the attempt's work is done and its result is not recorded
	Passes         // a timer is due
	Resumes        // the pause before the next attempt is over
	Arrives        // signal Name comes with Payload
	Cancels        // the run is asked to cancel
	Continues      // continue_as_new begins the next run
)

// Step is something that happened.
type Step struct {
	At      time.Duration // since the start
	What    What
	Point   int // the choice that led to it, from 1; 0 for the start
	Option  int // 0: the default
	Name    string
	Run     string // its ID
	Op      string
	Call    *Call
	Attempt int
	Worked  bool // the work of the attempt was done
	ForGood bool // and the same happens to all attempts that follow
	Always  bool // and to all calls of the activity that follow
	Guess   bool // Payload is not the usual value, and nobody has given it
	Payload json.RawMessage
	Failure *history.Failure
	Again   time.Duration // until the next attempt; -1: there is none
	Answers []Answer
}

// Answer is what a run decided in answer to a step.
type Answer struct {
	Run       string
	Decisions []history.Event
}

// Call is one call of an activity.
type Call struct {
	Run, Op  string
	Key      string // its idempotency key
	Name     string
	Args     json.RawMessage // a JSON array
	Step     int             // in answer to which it was scheduled, from 1
	Options  history.ActivityOptions
	At       time.Duration
	Ended    time.Duration
	Outcome  string // open, completed, failed, cancelled
	Result   json.RawMessage
	Failure  *history.Failure
	Attempts []Attempt
}

// Attempt is one attempt of a call.
type Attempt struct {
	At      time.Duration
	Outcome string // open, completed, failed, cancelled, timed out, crashed
	Worked  bool   // its work was done
	Ended   time.Duration
	Failure *history.Failure
}

// past is what the outcome in the history says of the attempts of a call.
func (c *Call) past() (past history.Past) {
	if len(c.Attempts) < 2 {
		return nil
	}
	for i, a := range c.Attempts {
		one := history.PastAttempt{Number: i + 1, Began: epoch.Add(a.At), Failure: a.Failure}
		if a.Outcome != "crashed" {
			one.Ended = epoch.Add(a.Ended)
		}
		past = past.With(one)
	}
	return past
}

// Signal is one that the run got.
type Signal struct {
	Step int // from 1
	At   time.Duration
	Name string
	Args json.RawMessage // a JSON array
}

// Worked counts how often the work of an activity was done, attempts whose result was lost included.
func (p *Path) Worked(activity string) int {
	n := 0
	for _, c := range p.Calls {
		if c.Name == activity {
			n += c.worked()
		}
	}
	return n
}

func (c *Call) worked() int {
	n := 0
	for i := range c.Attempts {
		if c.Attempts[i].Worked {
			n++
		}
	}
	return n
}
