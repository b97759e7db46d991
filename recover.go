package flowlua

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/flowlua/flowlua/history"
)

// Recover takes up every open run that nobody drives, and goes on to do so until the engine is closed: runs of a process that
// has died, of a Start with Detach, of an engine that has left. Call it when the activities are registered. A run that needs an
// activity which is not, now or later, is left alone, which the log and Observer.Left tell: another engine may have it, or this one
// when it is registered. Runs that an engine error has stopped are left to Resume.
//
// What a run has begun goes on where it was, by the clock on the wall: timers, deadlines of activities and pauses before
// their next attempts. An activity that was being performed is performed again, as the next attempt, with the details of the
// last heartbeat; that does not count as a failure.
func (e *Engine) Recover(ctx context.Context) error {
	if err := e.closedError(); err != nil {
		return err
	}
	if _, err := e.join(ctx); err != nil {
		return err
	}
	e.mu.Lock()
	e.recovering = true
	e.mu.Unlock()
	if err := e.recover(nil); err != nil {
		return err
	}
	e.lookAround()
	return nil
}

// Resume takes up one open run that nobody drives, even if an engine error has stopped it, and gives a handle to it. It is the
// same as Find if this engine drives the run. ErrNotOwned if another does, which the error names; a *MissingActivityError if an
// activity is open that this engine does not have. Open runs that it has started are taken up with it.
func (e *Engine) Resume(ctx context.Context, id string) (*Run, error) {
	if e.find(id) != nil {
		return e.Find(ctx, id)
	}
	info, err := e.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if info.Status != history.Open {
		return nil, &notOpenError{run: id, status: info.Status}
	}
	if driver, err := e.driver(ctx, &info.Run); err != nil {
		return nil, err
	} else if driver != nil {
		return nil, fmt.Errorf("flowlua: run %q: %w: %s", id, ErrNotOwned, driver.Name)
	}
	if _, err := e.join(ctx); err != nil {
		return nil, err
	}
	family, err := e.family(ctx, id)
	if err == nil {
		err = e.missingOf(ctx, info.Run)
	}
	if err == nil {
		err = e.recover(family)
	}
	if err != nil {
		return nil, err
	}
	if e.find(id) == nil {
		if info, err = e.Get(ctx, id); err == nil && info.Status == history.Open {
			return nil, fmt.Errorf("flowlua: run %q: %w: %s", id, ErrNotOwned, e.ownerName(ctx, info.Owner))
		}
	}
	return e.Find(ctx, id)
}

// family are the IDs of a run and of all open runs below it.
func (e *Engine) family(ctx context.Context, id string) ([]string, error) {
	ids := []string{id}
	for i := 0; i < len(ids); i++ {
		for child, err := range e.store.Runs(ctx, history.Filter{Parent: ids[i], Status: history.Open}) {
			if err != nil {
				return nil, fmt.Errorf("flowlua: run %q: %w", id, err)
			}
			if !slices.Contains(ids, child.ID) {
				ids = append(ids, child.ID)
			}
		}
	}
	return ids, nil
}

func (e *Engine) ownerName(ctx context.Context, number int64) string {
	owners, _ := e.store.Owners(ctx)
	for _, o := range owners {
		if o.Number == number {
			return o.Name
		}
	}
	return fmt.Sprintf("owner %d", number)
}

// recover claims runs and sets them going; nil: all that can be had.
func (e *Engine) recover(ids []string) error {
	e.claiming.Lock()
	defer e.claiming.Unlock()
	opened, err := e.claim(ids)
	if len(opened) == 0 {
		return err
	}
	e.log.Info("runs taken up", "count", len(opened))
	e.collectFrom(0) // before they go on: one that is to end does not begin anything more
	now := time.Now()
	for _, r := range opened {
		r.rouse(now)
	}
	return err
}

// claim claims runs and lets others find them.
func (e *Engine) claim(ids []string) (opened []*execution, err error) {
	owner, err := e.join(context.Background())
	if err != nil {
		return nil, err
	}
	e.mu.RLock()
	left := e.left.turns()
	e.mu.RUnlock()
	now := time.Now()
	runs, err := e.store.Claim(context.Background(), history.Claim{Owner: owner, Now: now, IDs: ids, Except: left})
	if isFenced(err) {
		e.chores.add(func() { e.fenced(owner) })
	}
	if err != nil {
		return nil, fmt.Errorf("flowlua: runs cannot be taken up: %w", err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, ErrClosed
	}
	for _, run := range runs {
		if old := e.open[run.ID]; old != nil && old.owner == owner && !old.over() {
			continue
		}
		r := e.newExecution(owner, run)
		r.takenUp = true
		if run.Wake.After(now) {
			r.waking = e.alarms.add(run.Wake, r.stir)
		}
		e.open[run.ID] = r
		delete(e.left, run.Ref)
		opened = append(opened, r)
	}
	return opened, nil
}

// rouse sets a run that was claimed going when it has something to do.
func (r *execution) rouse(now time.Time) {
	switch {
	case r.run.Turns == 0:
		r.begin()
	case !r.run.Wake.IsZero() && !r.run.Wake.After(now):
		r.stir()
	}
}

// stir has the run loaded, so that what it has begun goes on.
func (r *execution) stir() { r.call(func(r *execution) { r.stirred = true }) }

// noticed is told by the store that somebody else may have written.
func (e *Engine) noticed() {
	if e.notice.CompareAndSwap(false, true) {
		e.chores.add(func() {
			e.notice.Store(false)
			e.collect()
			e.audit()
			e.takeUp(false)
		})
	}
}

// lookAround looks for engines that have died, which nobody tells of.
func (e *Engine) lookAround() {
	pause := min(e.leaseTime()/2, time.Second)
	e.alarms.add(time.Now().Add(pause), func() {
		e.chores.add(func() {
			e.takeUp(true)
			e.lookAround()
		})
	})
}

// takeUp claims what is nobody's, if the engine recovers and there may be something.
func (e *Engine) takeUp(onlyIfDead bool) {
	e.mu.RLock()
	recovering := e.recovering && !e.closed && e.moved.Load() == nil
	e.mu.RUnlock()
	if !recovering {
		return
	}
	if onlyIfDead {
		owners, err := e.store.Owners(context.Background())
		dead, now := err != nil, time.Now()
		for _, o := range owners {
			dead = dead || o.Number != e.lease.number() && !o.Lives(now)
		}
		if !dead {
			return
		}
	}
	if err := e.recover(nil); err != nil && !errors.Is(err, ErrClosed) {
		e.log.Error("runs cannot be taken up; it is tried again", "error", err)
	}
}
