package flowlua

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// startChild starts a run whose end this one is told. What prevents it is the child's failure.
func (r *execution) startChild(d *history.Event) {
	child, err := r.newChild(d)
	if err != nil {
		kind := "ChildStartError"
		if errors.Is(err, ErrAlreadyExists) {
			kind = "AlreadyRunning"
		}
		r.post(history.Event{Kind: history.ChildFailed, Op: d.Op, Failure: &history.Failure{
			Name: nameChild, Kinds: []string{kind}, Message: fmt.Sprintf("child workflow %q was not started: %v", d.Name, err),
		}}, nil)
		return
	}
	if r.children == nil {
		r.children = map[string]string{}
	}
	r.children[d.Op] = child.run.ID
	child.begin()
}

// newChild makes the run of a child: a workflow of the same script, else any that the engine finds. An ID may be used
// again when the run that had it has ended.
func (r *execution) newChild(d *history.Event) (*execution, error) {
	options := history.ChildOptions{}
	if d.Child != nil {
		options = *d.Child
	}
	program := r.program
	if !slices.Contains(program.Workflows(), d.Name) {
		var err error
		if program, err = r.engine.programs.find(d.Name); err != nil {
			return nil, err
		}
	}
	run := history.Run{
		Ref:      history.Ref{ID: cmp.Or(options.ID, r.run.ID+d.Op), Number: 1},
		Workflow: d.Name, Input: d.Payload,
		Parent: &history.Parent{Ref: r.run.Ref, Op: d.Op, OnParentClose: options.OnParentClose},
	}
	last, err := r.engine.store.Run(context.Background(), history.Ref{ID: run.ID})
	switch {
	case err == nil && last.Status == history.Open:
		return nil, fmt.Errorf("run %q is open: %w", run.ID, ErrAlreadyExists)
	case err == nil:
		run.Number = last.Number + 1
	case !errors.Is(err, history.ErrNotFound):
		return nil, err
	}
	return r.engine.create(run, program)
}

// continueAsNew makes the run that goes on under the same ID, with the same script and a fresh history.
func (r *execution) continueAsNew(input json.RawMessage) (*execution, error) {
	run := r.run
	run.Number++
	run.Input = input
	return r.engine.create(run, r.program)
}

// child is the open run of a child that r has started, whichever continues it now.
func (r *execution) child(op string) *execution {
	id, ok := r.children[op]
	if !ok {
		return nil
	}
	c := r.engine.find(id)
	if c == nil || c.run.Parent == nil || c.run.Parent.Ref != r.run.Ref || c.run.Parent.Op != op {
		return nil
	}
	return c
}

func (r *execution) cancelChild(d *history.Event) {
	if c := r.child(d.Op); c != nil {
		c.post(history.Event{Kind: history.CancelRequested, Payload: d.Payload}, nil)
	}
}

// tellParent reports the closing decision.
func (r *execution) tellParent(end history.Event) {
	p := r.run.Parent
	if p == nil {
		return
	}
	if parent := r.engine.find(p.ID); parent != nil && parent.run.Ref == p.Ref {
		parent.post(workflow.ChildOutcome(p.Op, r.run.ID, r.run.Workflow, &end), nil)
	}
}

// closeChildren does with open children what their options say for the end of their parent: most have ended by then,
// as a run that completes waits for all it has started.
func (r *execution) closeChildren() {
	for op := range r.children {
		c := r.child(op)
		if c == nil {
			continue
		}
		reason, _ := json.Marshal("the parent workflow has ended")
		switch c.run.Parent.OnParentClose {
		case "abandon":
		case "cancel":
			c.post(history.Event{Kind: history.CancelRequested, Payload: payload(reason)}, nil)
		default:
			c.post(termination("the parent workflow has ended"), nil)
		}
	}
}

// sendSignal brings a signal to another run and tells this one whether it arrived.
func (r *execution) sendSignal(d *history.Event) {
	op, to := d.Op, d.Run
	ack := func(err error) {
		outcome := history.Event{Kind: history.SignalDelivered, Op: op}
		switch {
		case errors.Is(err, ErrNotFound) || errors.Is(err, ErrNotOpen):
			outcome = workflow.SignalFailed(op, to)
		case err != nil:
			outcome.Kind, outcome.Failure = history.SignalFailed, &history.Failure{Name: "SignalError", Message: err.Error()}
		}
		r.post(outcome, nil)
	}
	target, err := r.engine.opened(context.Background(), d.Run)
	if err != nil {
		ack(err)
		return
	}
	target.post(history.Event{Kind: history.SignalReceived, Name: d.Name, Payload: d.Payload, Run: r.run.ID}, ack)
}
