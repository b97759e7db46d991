package workflow

import (
	"encoding/json"
	"fmt"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
)

// happen brings one event to the tree. What comes late or twice is ignored (rule 8).
func (e *Execution) happen(ev *history.Event) error {
	switch ev.Kind {
	case history.RunStarted:
		return e.begin(ev.Payload)
	case history.ActivityCompleted, history.ChildCompleted:
		if op := e.done(ev.Op); op != nil {
			op.Complete(ev.Payload)
		}
	case history.TimerFired, history.SignalDelivered:
		if op := e.done(ev.Op); op != nil {
			op.Complete(json.RawMessage(nil))
		}
	case history.ActivityFailed, history.ChildFailed, history.SignalFailed:
		if op := e.done(ev.Op); op != nil {
			op.Fail(failure(op, ev))
		}
	case history.SignalReceived:
		return e.flow.Signal(ev.Name, ev.Payload)
	case history.CancelRequested:
		if ev.Op != "" {
			return e.cancelAt(ev)
		}
		return e.requestCancel(ev.Payload)
	case history.ChunkEntered:
		return e.enter(ev)
	case history.RunTerminated:
		e.closing = history.Event{Kind: history.RunFailed, Failure: ev.Failure}
	default:
		return fmt.Errorf("not an event that happens to a run")
	}
	return nil
}

// done takes an operation out of the open ones; nil if it is not among them.
func (e *Execution) done(path string) *scheduler.Operation {
	b, ok := e.open[path]
	if !ok {
		return nil
	}
	delete(e.open, path)
	if b.kind == history.ChildStarted {
		e.children.remove(path)
	}
	return b.op
}

func failure(op *scheduler.Operation, ev *history.Event) error {
	f := ev.Failure
	if f == nil {
		f = &history.Failure{Name: "Error", Message: ev.Kind.String() + " without a failure"}
	}
	return stdlib.FailureError(op, f)
}

// requestCancel cancels the root, once; the first reason counts.
func (e *Execution) requestCancel(payload json.RawMessage) error {
	if e.cancelRequested {
		return nil
	}
	var err error
	if e.reason, err = reasonIn(payload); err != nil {
		return err
	}
	e.cancelRequested = true
	e.tree.Cancel(stdlib.FromFailure(&history.Failure{Name: "CancelledError", Message: "the run was asked to cancel", Reason: e.reason}))
	return nil
}

// cancelAt cancels one thing by its place in the tree. It may be over by now.
func (e *Execution) cancelAt(ev *history.Event) error {
	reason, err := reasonIn(ev.Payload)
	if err == nil {
		e.tree.CancelAt(ev.Op, stdlib.FromFailure(&history.Failure{Name: "CancelledError", Message: "cancellation was asked for", Reason: reason}))
	}
	return err
}

func reasonIn(payload json.RawMessage) (json.RawMessage, error) {
	var reasons []json.RawMessage
	if len(payload) > 0 {
		if err := json.Unmarshal(payload, &reasons); err != nil || len(reasons) == 0 {
			return nil, err
		}
		return reasons[0], nil
	}
	return nil, nil
}
