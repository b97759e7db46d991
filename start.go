package flowlua

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/flowlua/flowlua/activity"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// StartOptions of a run. The zero value works.
type StartOptions struct {
	ID     string // names the run for good; "": a new one is made
	Script string // the file that declares the workflow, as a path in Config.Scripts; "": it is looked for
}

// Args is an input of several values, or of none: Start(ctx, "transfer", flowlua.Args{from, to, 100}, …).
type Args []any

// Start begins a run of a workflow. input is the workflow's argument: any value that JSON carries; nil is none and Args
// are several. The error is ErrAlreadyExists if there is a run with this ID, open or not, ErrNotFound if no script
// declares the workflow, and what is wrong with the script if it does not load.
func (e *Engine) Start(ctx context.Context, workflow string, input any, options StartOptions) (*Run, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	args, err := encodeInput(input)
	if err != nil {
		return nil, fmt.Errorf("flowlua: start %q: input: %w", workflow, err)
	}
	program, err := e.programs.load(workflow, options.Script)
	if err != nil {
		return nil, fmt.Errorf("flowlua: start %q: %w", workflow, err)
	}
	if workflow == "" {
		names := program.Workflows()
		if len(names) != 1 {
			return nil, fmt.Errorf("flowlua: start: %s declares several workflows: say which of %s", options.Script, strings.Join(names, ", "))
		}
		workflow = names[0]
	}
	id := options.ID
	if id == "" {
		id = newID(workflow)
	}
	r, err := e.create(history.Run{Ref: history.Ref{ID: id, Number: 1}, Workflow: workflow, Input: args}, program)
	if err != nil {
		return nil, fmt.Errorf("flowlua: start %q: %w", workflow, err)
	}
	r.begin()
	return &Run{execution: r}, nil
}

func encodeInput(input any) (json.RawMessage, error) {
	switch in := input.(type) {
	case nil:
		return activity.Encode()
	case Args:
		return activity.Encode(in...)
	}
	return activity.Encode(input)
}

// newID is short, unique, and says what runs.
func newID(workflow string) string {
	return workflow + "-" + strings.ToLower(rand.Text()[:12])
}

// create stores a run and opens it; begin sets it going.
func (e *Engine) create(run history.Run, program *workflow.Program) (*execution, error) {
	run.Program, run.Status, run.Created = program.Hash(), history.Open, time.Now().UTC().Round(0)
	run.Turns, run.State, run.Result, run.Failure = 0, nil, nil, nil
	r := e.newExecution(run, program)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, ErrClosed
	}
	switch err := e.store.Create(context.Background(), run, program.Sources()); {
	case errors.Is(err, history.ErrExists):
		return nil, fmt.Errorf("run %q: %w", run.ID, ErrAlreadyExists)
	case err != nil:
		return nil, err
	}
	// First of all, before anyone can find the run and tell it something.
	r.inbox.Add(&history.Event{Kind: history.RunStarted, Name: run.Workflow, Payload: run.Input})
	e.open[run.ID] = r
	return r, nil
}

// begin sets a run going, if nothing that was sent to its ID has done so.
func (r *execution) begin() {
	r.mu.Lock()
	r.wake()
}
