package flowlua

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/flowlua/flowlua/activity"
	"github.com/flowlua/flowlua/history"
)

// Run is a run that was started or found. It is safe for concurrent use.
type Run struct {
	engine    *Engine
	execution *execution // nil: the run had ended when it was found, or another engine drives it
	info      Info
}

// ID names the run.
func (r *Run) ID() string { return r.info.ID }

// Result waits for the end of the run and of those that continue it as new, and fills the pointers out from its results.
// The error is an *Error if the run failed; errors.Is ErrCancelled if it was cancelled; the error of ctx if that is done
// first, which does not touch the run; *NonDeterminismError and the like if the engine had to stop it.
//
// If another engine drives the run and dies, this one takes the run up when that one's lease has ended, and drives it. If it
// misses an activity for that, it waits as long as a lease lasts for an engine that has it, then the error is a *MissingActivityError.
func (r *Run) Result(ctx context.Context, out ...any) error {
	info, err := r.wait(ctx)
	if err != nil {
		return err
	}
	if info.Failure != nil {
		return errorFrom(info.Failure)
	}
	if err := activity.Decode(info.Result, out...); err != nil {
		return fmt.Errorf("flowlua: result of run %q: %w", info.ID, err)
	}
	return nil
}

// wait waits for the end of the last run of the chain.
func (r *Run) wait(ctx context.Context) (Info, error) {
	info := r.info
	for x := r.execution; x != nil; x = x.next {
		select {
		case <-x.done:
		case <-ctx.Done():
			return info, ctx.Err()
		}
		info = Info{x.run}
		switch {
		case x.err == errFenced, errors.As(x.err, new(*MissingActivityError)):
			return r.engine.follow(ctx, x.run.Ref)
		case x.err != nil:
			return info, x.err
		case x.end.Kind == history.RunContinued && x.next == nil:
			return r.engine.follow(ctx, x.run.Ref)
		}
		info.Apply(history.Turn{Decisions: []history.Event{x.end}})
	}
	if info.Status == history.Open || info.Status == history.Continued && r.execution == nil {
		return r.engine.follow(ctx, info.Ref)
	}
	return info, nil
}

// follow waits for the end of a run that this engine does not drive, or not any more.
func (e *Engine) follow(ctx context.Context, ref history.Ref) (Info, error) {
	changed := make(chan struct{}, 1)
	defer e.store.Watch(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})()
	taking := adoption{engine: e}
	for {
		if x := e.find(ref.ID); x != nil && x.run.Number >= ref.Number { // taken up by this engine
			return (&Run{engine: e, execution: x, info: Info{x.run}}).wait(ctx)
		}
		run, err := e.store.Run(ctx, ref)
		switch {
		case err != nil:
			return Info{}, fmt.Errorf("flowlua: run %q: %w", ref.ID, err)
		case run.Status == history.Continued:
			ref.Number++
			continue
		case run.Status != history.Open:
			return Info{run}, nil
		case run.Halted != "":
			return Info{run}, errors.New(run.Halted)
		}
		if err := taking.adopt(ctx, run); err != nil {
			return Info{run}, err
		}
		if x := e.find(ref.ID); x != nil && x.run.Number >= ref.Number {
			continue
		}
		pause := time.NewTimer(min(time.Second, e.leaseTime()/4)) // that an owner dies is no change, nor what this engine does
		select {
		case <-changed:
		case <-pause.C:
		case <-e.stopped:
			return Info{run}, ErrClosed
		case <-ctx.Done():
			return Info{run}, ctx.Err()
		}
		pause.Stop()
	}
}

// Done is closed when the run has ended, continued or not, or the engine has let go of it.
func (r *Run) Done() <-chan struct{} {
	if r.execution != nil {
		return r.execution.done
	}
	done := make(chan struct{})
	if r.info.Status != history.Open {
		close(done)
		return done
	}
	go func() {
		defer close(done)
		_, _ = r.engine.follow(context.Background(), r.info.Ref)
	}()
	return done
}

// Info is what is known of a run: its ID, workflow, input, status, result or failure.
type Info struct{ history.Run }

// Error is the failure of a run that failed or was cancelled, else nil.
func (i Info) Error() *Error { return errorFrom(i.Failure) }
