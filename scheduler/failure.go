package scheduler

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
)

// Cancelled is the error of a cancellation.
type Cancelled struct {
	// Reason is what the person who cancelled gave as the reason, nil for none. It is handed down with the cause.
	Reason any
	// Cause is what led to the cancellation: a sibling's failure, the cancellation of the scope around, or nil.
	Cause error
}

// Error names the reason if there is one, else the cause.
func (c *Cancelled) Error() string {
	switch {
	case c.Reason != nil:
		return fmt.Sprintf("cancelled: %v", c.Reason)
	case c.Cause != nil && AsCancelled(c.Cause) == nil:
		return "cancelled because of: " + c.Cause.Error()
	case c.Cause != nil:
		return c.Cause.Error()
	}
	return "cancelled"
}

// Unwrap returns the cause.
func (c *Cancelled) Unwrap() error { return c.Cause }

// Cancellation makes *Cancelled itself answer AsCancelled.
func (c *Cancelled) Cancellation() *Cancelled { return c }

// AsCancelled returns the cancellation that err is, or nil. Unlike errors.As it does not look into causes: an error that
// was raised because of a cancellation is a failure like any other. An error type that carries a cancellation says so
// with a method Cancellation() *Cancelled.
func AsCancelled(err error) *Cancelled {
	if c, ok := err.(interface{ Cancellation() *Cancelled }); ok {
		return c.Cancellation()
	}
	return nil
}

// cancelledBy makes the cancellation that cause leads to one level further down.
func cancelledBy(cause error) *Cancelled {
	c := &Cancelled{Cause: cause}
	if outer := AsCancelled(cause); outer != nil {
		c.Reason = outer.Reason
	}
	return c
}

// cancelledWith is what a branch or operation is told when its scope ends with failure: the failure itself if that is a
// cancellation already (flow-semantics 1.4).
func cancelledWith(failure error) *Cancelled {
	if c := AsCancelled(failure); c != nil {
		return c
	}
	return cancelledBy(failure)
}

// ErrStopped is returned by a tree that was stopped.
var ErrStopped = errors.New("the execution tree was stopped")

var errOutside = errors.New("work can only be started by the branch that is running: this was called from outside of it")

var errExited = errors.New("a body ended its goroutine with runtime.Goexit instead of returning")

type engineError struct{ err error }

// unwinding is what a suspended body panics with when its tree is stopped.
type unwinding struct{}

// String explains the panic to whoever recovers it by mistake.
func (unwinding) String() string {
	return "scheduler: the tree is being stopped; let this panic pass"
}

// Abort ends the whole tree with an engine error from inside a body or callback (rule 9): it panics through everything,
// no catch or finally runs, and Run returns err.
func Abort(err error) { panic(engineError{err}) }

// engineFailure turns what was recovered into the error that Run returns.
func engineFailure(recovered any) error {
	if e, ok := recovered.(engineError); ok {
		return e.err
	}
	if err, ok := recovered.(error); ok {
		if _, defect := err.(runtime.Error); !defect {
			return err // panicked with on purpose: a limit, an interruption
		}
	}
	return fmt.Errorf("panic in the execution tree: %v\n%s", recovered, debug.Stack())
}
