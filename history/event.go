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
	Kind     Kind             `json:"kind"`
	Op       string           `json:"op,omitempty"`       // the operation: its place in the execution tree
	Name     string           `json:"name,omitempty"`     // of the activity, workflow, signal, change …
	Run      string           `json:"run,omitempty"`      // the other run: whom a signal is sent to, who sent it
	Payload  json.RawMessage  `json:"payload,omitempty"`  // always a JSON array of the values: [] for none, [1,"a"] for two
	Failure  *Failure         `json:"failure,omitempty"`  // why it failed
	At       time.Time        `json:"at,omitzero"`        // when a timer is due
	Activity *ActivityOptions `json:"activity,omitempty"` // how an activity is to be run
	Child    *ChildOptions    `json:"child,omitempty"`    // how a child workflow is to be run
}

// Failure is an error as it is recorded. Every field but Name may be missing.
type Failure struct {
	Name      string          `json:"name"`
	Message   string          `json:"message,omitempty"`
	Kinds     []string        `json:"kinds,omitempty"` // further names that err:is and catch match
	Status    int             `json:"status,omitempty"`
	Retryable *bool           `json:"retryable,omitempty"` // nil: by its kind
	Timeout   string          `json:"timeout,omitempty"`   // schedule_to_start, start_to_close, schedule_to_close, heartbeat
	Activity  string          `json:"activity,omitempty"`  // the activity that failed
	Details   json.RawMessage `json:"details,omitempty"`   // one JSON value, e.g. the last heartbeat's
	Reason    json.RawMessage `json:"reason,omitempty"`    // of a cancellation: one JSON value
	Value     json.RawMessage `json:"value,omitempty"`     // what was raised, if it was not an error value
	Cause     *Failure        `json:"cause,omitempty"`
	Trace     []string        `json:"trace,omitempty"` // the logical stack, for people
}

// ActivityOptions are those of one scheduled activity. Zero durations mean no limit.
type ActivityOptions struct {
	ScheduleToStart time.Duration `json:"schedule_to_start,omitempty"`
	StartToClose    time.Duration `json:"start_to_close,omitempty"`
	ScheduleToClose time.Duration `json:"schedule_to_close,omitempty"`
	Heartbeat       time.Duration `json:"heartbeat,omitempty"`
	Retry           *RetryOptions `json:"retry,omitempty"` // nil: one attempt
	Version         string        `json:"version,omitempty"`
}

// RetryOptions is a declared retry, whose attempts the engine makes. Zero fields have the defaults of flow.retry.
type RetryOptions struct {
	Initial     time.Duration `json:"initial,omitempty"`
	Backoff     float64       `json:"backoff,omitempty"`
	MaxInterval time.Duration `json:"max_interval,omitempty"`
	Expiration  time.Duration `json:"expiration,omitempty"`
	MaxAttempts int           `json:"max_attempts,omitempty"` // counts the first attempt; 0: no limit
	Jitter      float64       `json:"jitter,omitempty"`
	RetryOn     []string      `json:"retry_on,omitzero"`      // nil: every retryable error; empty: none
	DontRetryOn []string      `json:"dont_retry_on,omitzero"` // exclusion beats inclusion
}

// ChildOptions are those of one child workflow.
type ChildOptions struct {
	ID            string `json:"id,omitempty"`              // "": made from the parent's run and the operation
	OnParentClose string `json:"on_parent_close,omitempty"` // terminate (the default), cancel, abandon
}

// Turn is one step of a run: what happened, all at one time, and what the run decided then. Both are committed together.
type Turn struct {
	Seq       int64     `json:"seq"` // 1 for the first
	Time      time.Time `json:"time"`
	Events    []Event   `json:"events,omitempty"`
	Decisions []Event   `json:"decisions,omitempty"`
}
