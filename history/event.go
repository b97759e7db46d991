// Package history holds what a run has decided and what has happened to it: the vocabulary of events, the Store they are
// kept in, and an in-memory store. Values in it are JSON, and nothing of it knows Lua.
package history

import (
	"encoding/json"
	"time"
)

// Format is the version of the encoding of runs, turns and events that this release writes. Older ones are read for ever.
const Format = 1

// Event is one fact of a history. It is flat and small: which fields are used is said at each Kind. Events are immutable once
// they are made, and so are the bytes and structs they refer to.
type Event struct {
	Kind     Kind             `json:"kind" cbor:"1,keyasint"`
	Op       string           `json:"op,omitempty" cbor:"2,keyasint,omitempty"`       // the operation: its place in the execution tree
	Name     string           `json:"name,omitempty" cbor:"3,keyasint,omitempty"`     // of the activity, workflow, signal, change …
	Run      string           `json:"run,omitempty" cbor:"4,keyasint,omitempty"`      // the other run: whom a signal is sent to, who sent it
	Payload  json.RawMessage  `json:"payload,omitempty" cbor:"5,keyasint,omitempty"`  // always a JSON array of the values: [] for none, [1,"a"] for two
	Failure  *Failure         `json:"failure,omitempty" cbor:"6,keyasint,omitempty"`  // why it failed
	At       time.Time        `json:"at,omitzero" cbor:"-"`                           // when a timer is due
	Activity *ActivityOptions `json:"activity,omitempty" cbor:"8,keyasint,omitempty"` // how an activity is to be run
	Child    *ChildOptions    `json:"child,omitempty" cbor:"9,keyasint,omitempty"`    // how a child workflow is to be run
	Attempts Past             `json:"attempts,omitempty" cbor:"-"`                    // of the outcome of an activity that took more than one, or ended in the pause after one
}

// Failure is an error as it is recorded. Every field but Name may be missing.
type Failure struct {
	Name      string          `json:"name" cbor:"1,keyasint,omitempty"`
	Message   string          `json:"message,omitempty" cbor:"2,keyasint,omitempty"`
	Kinds     []string        `json:"kinds,omitempty" cbor:"3,keyasint,omitempty"` // further names that err:is and catch match
	Status    int             `json:"status,omitempty" cbor:"4,keyasint,omitempty"`
	Retryable *bool           `json:"retryable,omitempty" cbor:"5,keyasint,omitempty"` // nil: by its kind
	Timeout   string          `json:"timeout,omitempty" cbor:"6,keyasint,omitempty"`   // schedule_to_start, start_to_close, schedule_to_close, heartbeat
	Activity  string          `json:"activity,omitempty" cbor:"7,keyasint,omitempty"`  // the activity that failed
	Details   json.RawMessage `json:"details,omitempty" cbor:"8,keyasint,omitempty"`   // one JSON value, e.g. the last heartbeat's
	Reason    json.RawMessage `json:"reason,omitempty" cbor:"9,keyasint,omitempty"`    // of a cancellation: one JSON value
	Value     json.RawMessage `json:"value,omitempty" cbor:"10,keyasint,omitempty"`    // what was raised, if it was not an error value
	Cause     *Failure        `json:"cause,omitempty" cbor:"11,keyasint,omitempty"`
	Trace     []string        `json:"trace,omitempty" cbor:"12,keyasint,omitempty"` // the logical stack, for people
}

// ActivityOptions are those of one scheduled activity. Zero durations mean no limit.
type ActivityOptions struct {
	ScheduleToStart time.Duration `json:"schedule_to_start,omitempty" cbor:"1,keyasint,omitempty"`
	StartToClose    time.Duration `json:"start_to_close,omitempty" cbor:"2,keyasint,omitempty"`
	ScheduleToClose time.Duration `json:"schedule_to_close,omitempty" cbor:"3,keyasint,omitempty"`
	Heartbeat       time.Duration `json:"heartbeat,omitempty" cbor:"4,keyasint,omitempty"`
	Retry           *RetryOptions `json:"retry,omitempty" cbor:"5,keyasint,omitempty"` // nil: one attempt
	Version         string        `json:"version,omitempty" cbor:"6,keyasint,omitempty"`
}

// RetryOptions is a declared retry, whose attempts the engine makes. Zero fields have the defaults of flow.retry.
type RetryOptions struct {
	Initial     time.Duration `json:"initial,omitempty" cbor:"1,keyasint,omitempty"`
	Backoff     float64       `json:"backoff,omitempty" cbor:"2,keyasint,omitempty"`
	MaxInterval time.Duration `json:"max_interval,omitempty" cbor:"3,keyasint,omitempty"`
	Expiration  time.Duration `json:"expiration,omitempty" cbor:"4,keyasint,omitempty"`
	MaxAttempts int           `json:"max_attempts,omitempty" cbor:"5,keyasint,omitempty"` // counts the first attempt; 0: no limit
	Jitter      float64       `json:"jitter,omitempty" cbor:"6,keyasint,omitempty"`
	RetryOn     []string      `json:"retry_on,omitzero" cbor:"7,keyasint,omitzero"`      // nil: every retryable error; empty: none
	DontRetryOn []string      `json:"dont_retry_on,omitzero" cbor:"8,keyasint,omitzero"` // exclusion beats inclusion
}

// ChildOptions are those of one child workflow.
type ChildOptions struct {
	ID            string `json:"id,omitempty" cbor:"1,keyasint,omitempty"`              // "": made from the parent's run and the operation
	OnParentClose string `json:"on_parent_close,omitempty" cbor:"2,keyasint,omitempty"` // terminate (the default), cancel, abandon
}

// Turn is one step of a run: what happened, all at one time, and what the run decided then. Both are committed together.
type Turn struct {
	Seq       int64     `json:"seq"` // 1 for the first
	Time      time.Time `json:"time"`
	Events    []Event   `json:"events,omitempty"`
	Decisions []Event   `json:"decisions,omitempty"`
}

// Closes reports whether the turn is the run's last.
func (t *Turn) Closes() bool {
	for i := range t.Decisions {
		if t.Decisions[i].Kind.Closes() {
			return true
		}
	}
	return false
}
