package flowlua

import (
	"context"
	"fmt"

	"github.com/flowlua/flowlua/activity"
	"github.com/flowlua/flowlua/history"
)

// Run is a run that was started or found. It is safe for concurrent use.
type Run struct {
	execution *execution // nil: the run had ended when it was found
	info      Info
}

// ID names the run.
func (r *Run) ID() string {
	if r.execution == nil {
		return r.info.ID
	}
	return r.execution.run.ID
}

// Result waits for the end of the run and of those that continue it as new, and fills the pointers out from its results.
// The error is an *Error if the run failed; errors.Is ErrCancelled if it was cancelled; the error of ctx if that is done
// first, which does not touch the run; *NonDeterminismError and the like if the engine had to stop it.
func (r *Run) Result(ctx context.Context, out ...any) error {
	info := r.info
	for x := r.execution; x != nil; x = x.next {
		select {
		case <-x.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if x.err != nil {
			return x.err
		}
		info = Info{Run: x.run}
		info.Apply(history.Turn{Decisions: []history.Event{x.end}})
	}
	if info.Failure != nil {
		return errorFrom(info.Failure)
	}
	if err := activity.Decode(info.Result, out...); err != nil {
		return fmt.Errorf("flowlua: result of run %q: %w", info.ID, err)
	}
	return nil
}

// Done is closed when the run has ended, continued or not.
func (r *Run) Done() <-chan struct{} {
	if r.execution != nil {
		return r.execution.done
	}
	done := make(chan struct{})
	close(done)
	return done
}

// Info is what is known of a run: its ID, workflow, input, status, result or failure.
type Info struct{ history.Run }

// Error is the failure of a run that failed or was cancelled, else nil.
func (i Info) Error() *Error { return errorFrom(i.Failure) }
