package workflow

import (
	"fmt"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
)

// ChildOutcome is what a parent is told of the decision that ended its child: op is the parent's operation. A cancelled child is
// a cancellation in the parent, whoever asked for it (flow-semantics 6); any other failure is the cause of a ChildWorkflowError.
func ChildOutcome(op, id, workflow string, closing *history.Event) history.Event {
	switch closing.Kind {
	case history.RunCompleted:
		return history.Event{Kind: history.ChildCompleted, Op: op, Payload: closing.Payload}
	case history.RunCancelled:
		return history.Event{Kind: history.ChildFailed, Op: op, Failure: closing.Failure}
	}
	f := &history.Failure{Name: "ChildWorkflowError", Message: fmt.Sprintf("child workflow %q (%s) failed", workflow, id), Cause: closing.Failure}
	if closing.Failure != nil {
		f.Message += ": " + closing.Failure.Name + ": " + closing.Failure.Message
	}
	return history.Event{Kind: history.ChildFailed, Op: op, Failure: f}
}

// SignalFailed is what a run is told whose signal cannot reach the run of that ID, because there is none or it has ended.
func SignalFailed(op, id string) history.Event {
	return history.Event{Kind: history.SignalFailed, Op: op, Failure: &history.Failure{
		Name: "SignalError", Kinds: []string{"NotFound"}, Message: fmt.Sprintf("there is no open run '%s'", id),
	}}
}

// ChildNotStarted is what a parent is told of a child that it has decided to begin and that does not: kind is AlreadyRunning, as an
// open run has its ID, or ChildStartError.
func ChildNotStarted(started *history.Event, kind, why string) history.Event {
	return history.Event{Kind: history.ChildFailed, Op: started.Op, Failure: &history.Failure{
		Name: "ChildWorkflowError", Kinds: []string{kind}, Message: fmt.Sprintf("child workflow %q was not started: %s", started.Name, why),
	}}
}

// RetryPolicy is a declared retry as arithmetic: ask its Delay. Which failures are tried again says stdlib.Retryable.
func RetryPolicy(o *history.RetryOptions) scheduler.RetryPolicy {
	return scheduler.RetryPolicy{Initial: o.Initial, Backoff: o.Backoff, MaxInterval: o.MaxInterval, Expiration: o.Expiration,
		MaxAttempts: o.MaxAttempts, Jitter: o.Jitter}
}

// CheckChildID says what is wrong with the ID that a run has chosen for a child in a ChildStarted.
func CheckChildID(parent string, started *history.Event) error {
	if started.Child == nil || started.Child.ID == "" || started.Child.ID == parent+started.Op {
		return nil
	}
	return history.CheckID(started.Child.ID)
}
