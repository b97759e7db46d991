package operate

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

// rebuilt is a run as far as it was rebuilt from its history.
type rebuilt struct {
	*workflow.Execution
	run     history.Run
	program *workflow.Program
	log     workflow.Log
	last    time.Time // of the last turn
}

// Patience are limits beyond what any engine sets: a run that an engine with wide limits has driven can be looked at.
var Patience = vm.Limits{Instructions: 1e10, Turn: 5 * time.Minute, Memory: 4 << 30, Coroutines: 100_000, Output: 1 << 30}

// program loads what a run runs on.
func (c *Console) program(ctx context.Context, run *history.Run) (*workflow.Program, error) {
	if p := c.programs[run.Program]; p != nil {
		return p, nil
	}
	sources, err := c.Store.Sources(ctx, run.Program)
	if err != nil {
		return nil, fmt.Errorf("run %s: its script cannot be read: %w; %s looks for more", named(run), err, c.Command("db", "check"))
	}
	p, err := workflow.NewProgram(sources)
	if err != nil {
		return nil, err
	}
	if c.programs == nil {
		c.programs = map[string]*workflow.Program{}
	}
	c.programs[run.Program] = p
	return p, nil
}

// rebuild replays a run on its own script.
func (c *Console) rebuild(ctx context.Context, run history.Run) (*rebuilt, error) {
	program, err := c.program(ctx, &run)
	if err != nil {
		return nil, err
	}
	return replay(ctx, run, program, c.Store.Turns(ctx, run.Ref, 0), nil)
}

// replay rebuilds a run from turns, with a look after each. When a turn does not fit, what was rebuilt until then is of no use
// but for its log; both are returned.
func replay(ctx context.Context, run history.Run, program *workflow.Program, turns iter.Seq2[history.Turn, error], look func(*rebuilt, *history.Turn) bool) (*rebuilt, error) {
	e, err := workflow.New(workflow.Config{Program: program, Workflow: run.Workflow, Run: run.Ref, Parent: run.Parent, Limits: Patience})
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { e.Interrupt(ctx.Err()) })
	defer stop()
	r := &rebuilt{Execution: e, run: run, program: program}
	for t, err := range turns {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil && t.Seq != r.log.Turns+1 {
			err = fmt.Errorf("turn %d is missing in its history", r.log.Turns+1)
		}
		if err == nil {
			err = e.Follow(&t)
		}
		if err != nil {
			return r, err
		}
		r.log.Follow(&t)
		r.last = t.Time
		if look != nil && !look(r, &t) {
			return r, nil
		}
	}
	if text := lacks(&run, r.log.Turns); text != "" {
		return r, errors.New(text)
	}
	return r, nil
}

// lacks says what is missing of a history of which so many turns were read, "" if nothing is.
func lacks(run *history.Run, turns int64) string {
	if turns >= run.Turns { // it may have made one since
		return ""
	}
	return fmt.Sprintf("its history is damaged: the run has made %d turns, of which %d are there", run.Turns, turns)
}

// close frees it; nil has nothing to free.
func (r *rebuilt) close() {
	if r != nil {
		r.Close()
	}
}
