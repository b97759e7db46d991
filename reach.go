package flowlua

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/flowlua/flowlua/activity"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// Signal sends a signal with the values to an open run, and returns when it is in the run's history. ErrNotFound if there
// is no such run, ErrNotOpen if it has ended.
func (e *Engine) Signal(ctx context.Context, id, name string, values ...any) error {
	args, err := activity.Encode(values...)
	if err != nil {
		return fmt.Errorf("flowlua: signal %q: %w", name, err)
	}
	return e.tell(ctx, id, history.Event{Kind: history.SignalReceived, Name: name, Payload: args})
}

// Cancel asks an open run to cancel: its root scope is cancelled, catch and finally run. The reason, if not empty, is
// what the script sees as err.reason. It returns when the request is in the run's history.
func (e *Engine) Cancel(ctx context.Context, id, reason string) error {
	ev := history.Event{Kind: history.CancelRequested, Payload: json.RawMessage("[]")}
	if reason != "" {
		text, _ := json.Marshal(reason)
		ev.Payload = payload(text)
	}
	return e.tell(ctx, id, ev)
}

// tell posts an event and waits until it is committed. A run that another engine drives, or nobody, finds it in its mail.
func (e *Engine) tell(ctx context.Context, id string, ev history.Event) error {
	if err := e.closedError(); err != nil {
		return err
	}
	for {
		r := e.find(id)
		if r == nil && ev.Kind == history.RunTerminated {
			if ended, err := e.endAlone(ctx, id, ev); ended || err != nil {
				return err
			}
		}
		if r == nil {
			return e.tellOther(ctx, id, ev)
		}
		done := make(chan error, 1)
		r.post(ev, func(err error) { done <- err })
		err := wait(ctx, e, r, done)
		if missing := (*MissingActivityError)(nil); err == errFenced || errors.As(err, &missing) || errors.Is(err, ErrNotOpen) && e.find(id) != r {
			continue // it goes on elsewhere, or as the run that continues it
		}
		return err
	}
}

// sendError says what there is instead of an open run.
func (e *Engine) sendError(ctx context.Context, id string, err error) error {
	switch {
	case errors.Is(err, history.ErrNotFound):
		return fmt.Errorf("flowlua: run %q: %w", id, ErrNotFound)
	case errors.Is(err, history.ErrEnded):
		ended := &notOpenError{run: id}
		if info, err := e.Get(ctx, id); err == nil {
			ended.status = info.Status
		}
		return ended
	case err != nil:
		return fmt.Errorf("flowlua: run %q: %w", id, err)
	}
	return nil
}

// wait gives up when ctx is done, or when the engine was closed before the run got to it.
func wait(ctx context.Context, e *Engine, r *execution, done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-r.done:
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-e.stopped:
		return ErrClosed
	}
}

// Query asks a function that the script has given to flow.query, and fills the pointer out, which may be nil, from the
// first value of its answer. It changes nothing and works on runs that have ended, too.
func (e *Engine) Query(ctx context.Context, id, name string, out any, values ...any) error {
	args, err := activity.Encode(values...)
	if err != nil {
		return fmt.Errorf("flowlua: query %q: %w", name, err)
	}
	var answer json.RawMessage
	err = e.look(ctx, id, func(flow looked) (err error) {
		answer, err = flow.Query(name, args)
		return err
	})
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrClosed) {
		return err
	}
	if err == nil {
		err = activity.Decode(answer, out)
	}
	if err != nil {
		return fmt.Errorf("flowlua: query %q of run %q: %w", name, id, err)
	}
	return nil
}

// Dump tells what every branch of a run waits for; nothing if it has ended.
func (e *Engine) Dump(ctx context.Context, id string) ([]Node, error) {
	var nodes []Node
	err := e.look(ctx, id, func(flow looked) error {
		nodes = flow.Dump()
		return nil
	})
	return nodes, err
}

// look shows fn a run between its turns, or a replay of a run that has ended.
func (e *Engine) look(ctx context.Context, id string, fn func(looked) error) error {
	if err := e.closedError(); err != nil {
		return err
	}
	if r := e.find(id); r != nil {
		done := make(chan error, 1)
		gone := errors.New("gone")
		if r.call(func(r *execution) {
			if r.flow == nil {
				done <- gone
				return
			}
			done <- fn(r.flow)
		}) {
			if err := wait(ctx, e, r, done); err != gone {
				return err
			}
		}
	}
	info, err := e.Get(ctx, id)
	if err != nil {
		return err
	}
	program, err := e.programs.stored(ctx, e.store, info.Program)
	if err != nil {
		return err
	}
	flow, err := workflow.Replay(workflow.Config{
		Program: program, Workflow: info.Workflow, Run: info.Ref, Parent: info.Parent, Limits: e.config.Limits,
	}, e.store.Turns(ctx, info.Ref, 0))
	if err != nil {
		return err
	}
	defer flow.Close()
	return fn(flow)
}

// Get describes a run: the latest of its ID.
func (e *Engine) Get(ctx context.Context, id string) (Info, error) {
	if err := e.closedError(); err != nil {
		return Info{}, err
	}
	run, err := e.store.Run(ctx, history.Ref{ID: id})
	if errors.Is(err, history.ErrNotFound) {
		return Info{}, fmt.Errorf("flowlua: run %q: %w", id, ErrNotFound)
	}
	return Info{run}, err
}

// Find gives a handle to a run, open or ended: the latest of its ID.
func (e *Engine) Find(ctx context.Context, id string) (*Run, error) {
	r := &Run{engine: e, execution: e.find(id)}
	var err error
	if r.info, err = e.Get(ctx, id); err != nil {
		return nil, err
	}
	return r, nil
}

// List gives runs, newest first.
func (e *Engine) List(ctx context.Context, filter Filter) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if err := e.closedError(); err != nil {
			yield(Info{}, err)
			return
		}
		for run, err := range e.store.Runs(ctx, filter) {
			if !yield(Info{run}, err) {
				return
			}
		}
	}
}

// History gives the turns of a run, in order. With the Number 0 it is the latest run of the ID.
func (e *Engine) History(ctx context.Context, ref Ref) iter.Seq2[Turn, error] {
	return func(yield func(Turn, error) bool) {
		if err := e.closedError(); err != nil {
			yield(Turn{}, err)
			return
		}
		e.store.Turns(ctx, ref, 0)(yield)
	}
}

// find is the open run of an ID, nil if there is none.
func (e *Engine) find(id string) *execution {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.open[id]
}
