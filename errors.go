package flowlua

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// Errors matched by errors.Is.
var (
	// ErrCancelled is the end of a run that was cancelled, and what the context of an activity is cancelled with; an
	// activity that returns it is cancelled.
	ErrCancelled = errors.New("flowlua: cancelled")
	// ErrNotFound: no run, workflow or script of that name.
	ErrNotFound = history.ErrNotFound
	// ErrAlreadyExists: a run with this ID, or an activity of this name.
	ErrAlreadyExists = history.ErrExists
	// ErrNotOpen: the run has ended and takes nothing more.
	ErrNotOpen = errors.New("not open")
	// ErrNotOwned: another engine drives the run.
	ErrNotOwned = errors.New("another engine drives it")
	// ErrClosed: the engine was closed.
	ErrClosed = errors.New("flowlua: the engine is closed")

	errRunEnded = errors.New("flowlua: the run of the activity has ended")
)

const (
	nameCancelled = "CancelledError"
	nameTimeout   = "TimeoutError"
)

// NonDeterminismError is the error of a run whose script does not decide again what its history says.
type NonDeterminismError = workflow.NonDeterminismError

// Error is the failure of a run, as the script's error value had it. An activity may return one to fail with a name,
// status and details of its own choice.
type Error struct {
	Name      string // of the error, as catch matches it
	Message   string
	Kinds     []string        // further names that it answers to
	Status    int             // HTTP status of a service's error; 0: none
	Retryable *bool           // whether another attempt makes sense; nil: by its kind
	Details   json.RawMessage // one JSON value, nil for none
	Activity  string          // the activity that failed
	Timeout   string          // which timeout ended it
	Cause     *Error          // what it was raised about
	Stack     []string        // the logical stack in Lua, one line a frame

	inner bool // it is a cause
}

// Error is "Name: message".
func (e *Error) Error() string {
	if e.Message == "" {
		return e.Name
	}
	return e.Name + ": " + e.Message
}

// Is reports whether target is ErrCancelled and this is a cancellation. A failure that was caused by one is not.
func (e *Error) Is(target error) bool {
	return e != nil && target == ErrCancelled && e.Name == nameCancelled && !e.inner
}

// Matches reports whether name is the error's name or one of its kinds, as err:is does in Lua.
func (e *Error) Matches(name string) bool { return e.Name == name || slices.Contains(e.Kinds, name) }

// Unwrap is the cause.
func (e *Error) Unwrap() error {
	if e == nil || e.Cause == nil {
		return nil
	}
	return e.Cause
}

// Failure is the error as a history keeps it.
func (e *Error) Failure() *history.Failure {
	if e == nil {
		return nil
	}
	return &history.Failure{
		Name: e.Name, Message: e.Message, Kinds: e.Kinds, Status: e.Status, Retryable: e.Retryable, Details: e.Details,
		Activity: e.Activity, Timeout: e.Timeout, Cause: e.Cause.Failure(), Trace: e.Stack,
	}
}

func errorFrom(f *history.Failure) *Error {
	if f == nil {
		return nil
	}
	e := &Error{
		Name: f.Name, Message: f.Message, Kinds: f.Kinds, Status: f.Status, Retryable: f.Retryable, Details: f.Details,
		Activity: f.Activity, Timeout: f.Timeout, Cause: errorFrom(f.Cause), Stack: f.Trace,
	}
	if e.Cause != nil {
		e.Cause.inner = true
	}
	return e
}

type notOpenError struct {
	run    string
	status history.Status // "" unknown
}

func (e *notOpenError) Error() string {
	if e.status == "" {
		return fmt.Sprintf("flowlua: run %q has ended", e.run)
	}
	return fmt.Sprintf("flowlua: run %q is %s", e.run, e.status)
}

func (e *notOpenError) Is(target error) bool { return target == ErrNotOpen }
