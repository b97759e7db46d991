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
	ID     string // names the run for good, as history.CheckID allows; "": a new one is made
	Script string // the file that declares the workflow, as a path in Config.Scripts; "": it is looked for
	Detach bool   // leave it to an engine on the same store that recovers
}

// Args is an input of several values, or of none: Start(ctx, "transfer", flowlua.Args{from, to, 100}, …).
type Args []any

// Start begins a run of a workflow, and returns when the run and its first turn are stored. input is the workflow's argument: any value that JSON carries; nil is none and Args
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
	if options.ID != "" {
		if err := history.CheckID(options.ID); err != nil {
			return nil, fmt.Errorf("flowlua: start %q: %w", workflow, err)
		}
	}
	run := newRun(history.Run{Ref: history.Ref{ID: options.ID, Number: 1}, Workflow: workflow, Input: args}, program)
	if run.Run.ID == "" {
		run.Run.ID = newID(workflow)
	} else if _, err := e.store.Run(ctx, history.Ref{ID: options.ID}); err == nil {
		return nil, fmt.Errorf("flowlua: start %q: run %q: %w", workflow, options.ID, ErrAlreadyExists)
	}
	r, err := e.start(ctx, run, program, options.Detach)
	if err != nil {
		return nil, fmt.Errorf("flowlua: start %q: %w", workflow, err)
	}
	return r, nil
}

// start stores a run, with its first turn unless it is left to others.
func (e *Engine) start(ctx context.Context, run history.NewRun, program *workflow.Program, detach bool) (*Run, error) {
	if detach {
		if err := e.closedError(); err != nil {
			return nil, err
		}
		if err := e.store.Create(ctx, run); err != nil {
			return nil, e.creationError(&run, err)
		}
		return e.Find(ctx, run.Run.ID)
	}
	owner, err := e.join(ctx)
	if err != nil {
		return nil, err
	}
	r := e.newExecution(owner, run.Run).runs(program)
	r.creation = &run
	stored := make(chan error, 1)
	r.acks = append(r.acks, func(err error) { stored <- err })
	if err := e.register(r); err != nil {
		return nil, err
	}
	r.beginHere()
	if err := wait(context.WithoutCancel(ctx), e, r, stored); err != nil { // it has begun, whatever ctx says
		return nil, e.creationError(&run, err)
	}
	return &Run{engine: e, execution: r, info: Info{run.Run}}, nil
}

func (e *Engine) creationError(run *history.NewRun, err error) error {
	if errors.Is(err, history.ErrExists) {
		return fmt.Errorf("run %q: %w", run.Run.ID, ErrAlreadyExists)
	}
	return err
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

// newID is short, unique, and says what runs, as far as the name of the workflow can be in an ID.
func newID(workflow string) string {
	unique := strings.ToLower(rand.Text()[:12])
	if id := workflow + "-" + unique; history.CheckID(id) == nil {
		return id
	}
	return "run-" + unique
}

// newRun is a run of a program that begins now.
func newRun(run history.Run, program *workflow.Program) history.NewRun {
	now := time.Now().UTC().Round(0)
	run.Program, run.Status, run.Created = program.Hash(), history.Open, now
	return history.NewRun{Run: run, Sources: program.Sources(), Wake: now}
}

// beginHere is begin, and makes the first turn in the goroutine of the caller, who waits for it anyway.
func (r *execution) beginHere() {
	r.mu.Lock()
	if r.waiting {
		r.mu.Unlock()
		return
	}
	r.waiting = true
	r.mu.Unlock()
	r.engine.turns.lend(r)
}

// begin sets a run going, if nothing that was sent to its ID has done so.
func (r *execution) begin() {
	r.mu.Lock()
	r.wake()
}
