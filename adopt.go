package flowlua

import (
	"context"
	"fmt"
	"time"

	"github.com/flowlua/flowlua/history"
)

// adoption is what somebody who waits for a run that this engine does not drive does about it when nobody does any more.
type adoption struct {
	engine *Engine
	since  time.Time // when it was first found to be nobody's, and this engine could not drive it; zero: it was not
}

// adopt takes up an open run whose owner's lease has ended, with the open runs below it. If this engine misses an activity, there
// is as much time as a lease lasts for one that has it; then the error is a *MissingActivityError. A run that no engine has begun
// is left to those that recover.
func (a *adoption) adopt(ctx context.Context, run history.Run) error {
	e := a.engine
	driver, err := e.driver(ctx, &run)
	fresh := run.Turns == 0 && run.Parent == nil && run.Number == 1
	if err != nil || driver != nil || fresh && run.Owner == 0 {
		a.since = time.Time{}
		return err
	}
	if missing := e.missingOf(ctx, run); missing != nil {
		if left, is := e.hasLeft(run.Ref, run.Turns); is {
			a.since = left
		} else if a.since.IsZero() {
			a.since = time.Now()
		}
		if time.Since(a.since) >= e.leaseTime() {
			return missing
		}
		return nil
	}
	family, err := e.family(ctx, run.ID)
	if err != nil {
		return err
	}
	return e.recover(family)
}

// driver is who drives an open run, nil if nobody does.
func (e *Engine) driver(ctx context.Context, run *history.Run) (*history.Owner, error) {
	driver, err := history.Driver(ctx, e.store, run, time.Now())
	if err != nil {
		err = fmt.Errorf("flowlua: run %q: %w", run.ID, err)
	}
	return driver, err
}
