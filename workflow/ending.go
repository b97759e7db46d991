package workflow

import (
	"bytes"
	"encoding/json"
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// begin starts the root: the file's top level, then the chosen workflow.
func (e *Execution) begin(input json.RawMessage) error {
	e.started = e.now
	c := vm.Config{Limits: e.config.Limits, Print: e.print, Modules: e.config.Modules, Cover: e.config.Cover}
	e.state, e.flow = e.config.Program.open(c, e.tree, e, e.config.Library)
	e.interrupt.watch(e.state)
	e.noteErrors()
	args := []lua.LValue(nil)
	if len(input) > 0 {
		var err error
		if args, err = e.state.DecodeAll(input); err != nil {
			return err
		}
	}
	if e.config.Program.session {
		return e.beginSession(args)
	}
	main := e.config.Program.Open(e.state)
	if e.config.Program.whole {
		e.tree.Start(e.config.Workflow, nil, e.flow.Body(main, args))
		return nil
	}
	top := e.flow.Body(main, nil)
	e.tree.Start(e.config.Workflow, nil, func(b *scheduler.Branch, in []any) (any, error) {
		if _, err := top(b, in); err != nil {
			return nil, err
		}
		e.flow.Loaded()
		chosen, ok := e.flow.Workflow(e.config.Workflow)
		if !ok {
			return nil, fmt.Errorf("the script did not declare workflow %q this time", e.config.Workflow)
		}
		return e.flow.Body(chosen.Fn, args)(b, nil)
	})
	return nil
}

// close decides how the run ends (flow-semantics 6, Completion).
func (e *Execution) close() {
	value, err := e.tree.Result()
	switch {
	case err != nil && !(e.cancelRequested && scheduler.AsCancelled(err) != nil):
		e.closing = history.Event{Kind: history.RunFailed, Failure: stdlib.ToFailure(e.state, err)}
	case e.cancelRequested:
		e.closing = history.Event{Kind: history.RunCancelled, Failure: e.cancellation()}
	case e.next != nil:
		e.closing = history.Event{Kind: history.RunContinued, Payload: e.next}
	default:
		values, _ := value.([]lua.LValue)
		payload, err := e.state.EncodeAll(values, "result")
		if err != nil {
			e.closing = history.Event{Kind: history.RunFailed, Failure: stdlib.ToFailure(e.state, err)}
			break
		}
		e.closing = history.Event{Kind: history.RunCompleted, Payload: payload}
	}
}

// cancellation is the failure of a run that was asked to cancel; a reason in words is its message.
func (e *Execution) cancellation() *history.Failure {
	f := &history.Failure{Name: "CancelledError", Reason: e.reason}
	_ = json.Unmarshal(e.reason, &f.Message)
	return f
}

// conclude adds what a turn decides at its end.
func (e *Execution) conclude() {
	if e.statusSet && !bytes.Equal(e.status, e.shown) {
		e.decided.add(history.Event{Kind: history.StatusSet, Payload: e.status}, nil)
		e.shown = e.status
	}
	e.statusSet = false
	if e.closing.Kind != 0 {
		e.decided.add(e.closing, nil)
	}
	e.decided.settle()
}
