package flowlua

import (
	"context"
	"errors"
	"time"

	"github.com/flowlua/flowlua/history"
)

// audit looks whether runs of this engine have been taken from it while it lives: by an upgrade, which leaves them to whoever comes,
// or by one who thought it dead. What is nobody's is taken up again; what is another's is let go, so that those who wait for its end
// look for it there.
func (e *Engine) audit() {
	ctx := context.Background()
	owner := e.lease.number()
	if free, err := e.store.Owned(ctx, 0); owner != 0 && err == nil {
		var mine []string
		for _, ref := range free {
			if r := e.find(ref.ID); r != nil && r.run.Ref == ref && r.owner == owner && r.stored() {
				if _, left := e.hasLeft(ref, 0); left {
					continue // it is just being let go
				}
				r.letGo(errFenced)
				mine = append(mine, ref.ID)
			}
		}
		if len(mine) > 0 {
			e.reclaim(mine...)
		}
	}
	e.auditAll(ctx, owner)
}

// reclaim takes runs up again that were taken from this engine, if they are nobody's.
func (e *Engine) reclaim(ids ...string) {
	if err := e.recover(ids); err != nil && !errors.Is(err, ErrClosed) {
		e.log.Error("runs cannot be taken up again", "error", err)
	}
}

// auditAll looks at all runs, the less often the more there are.
func (e *Engine) auditAll(ctx context.Context, owner int64) {
	e.mu.RLock()
	open := len(e.open)
	e.mu.RUnlock()
	if owner == 0 || open == 0 || time.Since(e.audited) < max(time.Second, time.Duration(open)*time.Millisecond) {
		return
	}
	e.audited = time.Now()
	before := e.drivenBy(owner)
	owned, err := e.store.Owned(ctx, owner)
	if err != nil {
		return
	}
	still := make(map[history.Ref]bool, len(owned))
	for _, ref := range owned {
		still[ref] = true
	}
	for _, r := range before {
		if !still[r.run.Ref] && r.stored() {
			if run, err := e.store.Run(ctx, r.run.Ref); err == nil && run.Owner != owner {
				r.letGo(errFenced)
			}
		}
	}
}

// drivenBy are the open runs that are written under a number.
func (e *Engine) drivenBy(owner int64) (all []*execution) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	for _, r := range e.open {
		if r.owner == owner {
			all = append(all, r)
		}
	}
	return all
}

// stored reports whether the run is in the store.
func (r *execution) stored() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.begun
}

// letGo ends the execution of a run, which goes on elsewhere if the reason is errFenced.
func (r *execution) letGo(reason error) {
	r.engine.mu.Lock()
	if r.engine.open[r.run.ID] == r {
		delete(r.engine.open, r.run.ID)
	}
	if r.engine.leaving == nil {
		r.engine.leaving = map[*execution]bool{}
	}
	r.engine.leaving[r] = true
	r.engine.mu.Unlock()
	r.call(func(r *execution) { r.release(reason, nil) })
}
