package flowlua

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/flowlua/flowlua/history"
)

// errFenced is the end of an execution whose run another engine may have taken over: it goes on there.
var errFenced = errors.New("flowlua: another engine drives the run now: this one was taken for dead")

func isFenced(err error) bool {
	return errors.Is(err, history.ErrFenced) || errors.Is(err, history.ErrConflict) || err == errFenced
}

// lease is the right to write runs. It is got when it is first needed.
type lease struct {
	mu      sync.Mutex
	owner   atomic.Int64 // 0: none
	renewal *alarm
	unwatch func()
}

func (l *lease) number() int64 { return l.owner.Load() }

// defaultLease is how long runs wait at most for the death of their owner to be noticed, if nothing tells before.
const defaultLease = 10 * time.Second

func (e *Engine) leaseTime() time.Duration { return cmp.Or(e.config.Lease, defaultLease) }

// join gets the lease if there is none, and returns its number.
func (e *Engine) join(ctx context.Context) (int64, error) {
	if n := e.lease.number(); n != 0 {
		return n, nil
	}
	if moved := e.moved.Load(); moved != nil {
		return 0, fmt.Errorf("flowlua: %w", *moved)
	}
	l := &e.lease
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := l.number(); n != 0 {
		return n, nil
	}
	n, err := e.store.Join(ctx, history.Owner{Name: e.ownName(), Until: time.Now().Add(e.leaseTime())})
	if err != nil {
		return 0, fmt.Errorf("flowlua: %w", err)
	}
	l.owner.Store(n)
	l.renewal = e.alarms.add(time.Now().Add(e.leaseTime()/3), e.renewSoon)
	if l.unwatch == nil {
		l.unwatch = e.store.Watch(e.noticed)
	}
	return n, nil
}

func (e *Engine) ownName() string {
	if e.config.Name != "" {
		return e.config.Name
	}
	host, _ := os.Hostname()
	return fmt.Sprintf("%s, process %d on %s", filepath.Base(os.Args[0]), os.Getpid(), cmp.Or(host, "this machine"))
}

func (e *Engine) renewSoon() { e.chores.add(e.renew) }

// renew prolongs the lease and arranges the next time.
func (e *Engine) renew() {
	owner := e.lease.number()
	if owner == 0 {
		return
	}
	err := e.store.Renew(context.Background(), owner, time.Now().Add(e.leaseTime()))
	if isFenced(err) {
		e.fenced(owner)
		return
	}
	if errors.Is(err, history.ErrMoved) {
		e.storeMoved(err)
		return
	}
	if err != nil {
		e.log.Error("the lease cannot be renewed; it is tried again", "error", err)
	}
	e.lease.mu.Lock()
	defer e.lease.mu.Unlock()
	e.lease.renewal = e.alarms.add(time.Now().Add(e.leaseTime()/3), e.renewSoon)
}

// fenced lets go of all runs: another engine has taken this one for dead, so what it knows of them is of no worth.
func (e *Engine) fenced(owner int64) {
	if !e.lease.owner.CompareAndSwap(owner, 0) {
		return
	}
	e.log.Warn("the lease is over: other engines may have taken the runs of this one", "owner", owner)
	for _, r := range e.drivenBy(owner) {
		r.letGo(errFenced)
	}
	e.mu.Lock()
	recovering := e.recovering
	e.early = nil
	e.mu.Unlock()
	if recovering {
		e.recover(nil)
	}
}

// storeMoved halts the engine, as what it would write is nobody's. It goes on to answer, with the error.
func (e *Engine) storeMoved(err error) {
	if !e.moved.CompareAndSwap(nil, &err) {
		return
	}
	e.log.Error("the store is gone, all runs are halted", "error", err)
	owner := e.lease.owner.Swap(0)
	for _, r := range e.drivenBy(owner) {
		r.letGo(fmt.Errorf("flowlua: run %q: %w", r.run.ID, err))
	}
}

// leave hands the runs back.
func (e *Engine) leave() error {
	e.lease.mu.Lock()
	defer e.lease.mu.Unlock()
	if e.lease.unwatch != nil {
		e.lease.unwatch()
		e.lease.unwatch = nil
	}
	owner := e.lease.owner.Swap(0)
	if owner == 0 {
		return nil
	}
	if err := e.store.Leave(context.Background(), owner); err != nil && !isFenced(err) {
		return fmt.Errorf("flowlua: close: %w", err)
	}
	return nil
}
