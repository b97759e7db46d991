package scheduler

import (
	"errors"
	"fmt"
)

// Promise is a value or a failure that is there now or later. The zero value is not useful: promises come from Start,
// Spawn, Try, Begin, Tree.Promise and the combinators.
type Promise struct {
	value       any
	err         error
	first, last *wait  // who waits, in the order in which they began
	producer    *node  // nil for settable promises and combinators
	link        *chain // of a settable promise
	group       *combinator
	description string
	observers   int32
	state       promiseState
	settable    bool
}

type promiseState uint8

const (
	pending promiseState = iota
	fulfilled
	failed
)

// waiter is told that a promise it waits for has settled. It may only append to the queue or settle other promises.
// The error is for the caller of Set (flow-semantics 2, chained promises).
type waiter interface{ settled(w *wait) error }

// wait is one waiter's place in the list of a promise.
type wait struct {
	promise    *Promise
	to         waiter
	prev, next *wait
	index      int32
	linked     bool
}

func (p *Promise) add(w *wait, to waiter, index int) {
	w.promise, w.to, w.index, w.linked = p, to, int32(index), true
	w.prev, w.next = p.last, nil
	if p.last == nil {
		p.first = w
	} else {
		p.last.next = w
	}
	p.last = w
}

func (w *wait) remove() {
	if !w.linked {
		return
	}
	p := w.promise
	if w.prev == nil {
		p.first = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		p.last = w.prev
	} else {
		w.next.prev = w.prev
	}
	w.prev, w.next, w.linked = nil, nil, false
}

// tear removes a wait whose waiter will not look any more; the observation does not count then (rule 4).
func (w *wait) tear() {
	if w.linked {
		w.remove()
		w.promise.observers--
	}
}

// settle notifies every waiter, then returns the first error of a chained promise (flow-semantics 2, QUIRK fixed).
func (p *Promise) settle(value any, err error) error {
	p.value, p.err, p.state = value, err, fulfilled
	if err != nil {
		p.state = failed
	}
	var conflict error
	for w := p.first; w != nil; w = p.first {
		w.remove()
		if e := w.to.settled(w); e != nil && conflict == nil {
			conflict = e
		}
	}
	return conflict
}

// Settled reports whether the promise has its value or its failure.
func (p *Promise) Settled() bool { return p.state != pending }

// Ready reports whether the promise has its value.
func (p *Promise) Ready() bool { return p.state == fulfilled }

// Err is the failure of the promise, nil if it has none (yet). Looking does not count as observing.
func (p *Promise) Err() error { return p.err }

// Get is the value or the failure; "not ready" while there is neither. Looking does not count as observing.
func (p *Promise) Get() (any, error) {
	if p.state == pending {
		return nil, errors.New("not ready: the promise has neither a value nor a failure yet; await it first")
	}
	return p.value, p.err
}

// Observe says that the failure of the promise will be looked after: it does not fail the scope of its producer (rule 4).
func (p *Promise) Observe() { p.observers++ }

// Set gives a settable promise its value. It is an error if it has settled before.
func (p *Promise) Set(v any) error {
	if err := p.mustBeOpen("set"); err != nil {
		return err
	}
	return p.settle(v, nil)
}

// Fail gives a settable promise its failure, which is kept for whoever looks. It is an error if it has settled before.
func (p *Promise) Fail(err error) error {
	if e := p.mustBeOpen("failed"); e != nil {
		return e
	}
	return p.settle(nil, err)
}

func (p *Promise) mustBeOpen(verb string) error {
	switch {
	case !p.settable:
		return fmt.Errorf("only a settable promise can be %s: this one gets its result from what produces it", verb)
	case p.state != pending:
		return &AlreadySettled{Settled{p.value, p.err}}
	}
	return nil
}

// AlreadySettled is the error of setting a promise that has its value or its failure.
type AlreadySettled struct{ Settled }

// Error tells what the promise has got.
func (e *AlreadySettled) Error() string {
	if e.Err != nil {
		return "already failed with: " + e.Err.Error()
	}
	return fmt.Sprintf("already set to %v", e.Value)
}

// Unwrap returns the failure.
func (e *AlreadySettled) Unwrap() error { return e.Err }

// chain is the link of a settable promise to its source.
type chain struct {
	wait
	target *Promise
}

func (c *chain) settled(w *wait) error {
	p, src := c.target, w.promise
	if err := p.mustBeOpen("set"); err != nil {
		return err
	}
	return p.settle(src.value, src.err)
}

// Chain makes a settable promise settle as src does, at once if src has settled; nil counts as ready with nil. It takes
// its turn among the waiters of src and counts as observing it.
func (p *Promise) Chain(src *Promise) error {
	if p.settable && p.Settled() {
		return errors.New("already ready: a promise that has settled cannot be chained")
	}
	if err := p.mustBeOpen("chained"); err != nil {
		return err
	}
	if p.link != nil {
		return errors.New("already chained: call unchain() to get rid of the previous chaining")
	}
	if src == nil {
		return p.settle(nil, nil)
	}
	for q := src; q != nil; q = q.source() {
		if q == p {
			return errors.New("a promise cannot be chained to itself")
		}
	}
	src.Observe()
	p.link = &chain{target: p}
	p.link.promise = src
	if src.Settled() {
		return p.settle(src.value, src.err)
	}
	src.add(&p.link.wait, p.link, 0)
	return nil
}

func (p *Promise) source() *Promise {
	if p.link == nil {
		return nil
	}
	return p.link.promise
}

// Unchain undoes Chain. It does nothing if the promise was never chained, and is an error once the source has settled.
func (p *Promise) Unchain() error {
	if p.link == nil {
		return nil
	}
	if p.link.promise.Settled() {
		return errors.New("cannot unchain from a promise which is ready")
	}
	p.link.tear()
	p.link = nil
	return nil
}

// Description is the promise's own text, else that of its producer, else that of the promise it is chained to.
func (p *Promise) Description() string {
	switch {
	case p.description != "":
		return p.description
	case p.producer != nil:
		return p.producer.describe()
	case p.link != nil:
		return p.link.promise.Description()
	}
	return ""
}

// Cancel cancels what produces the promise: the branch (not what it started, which belongs to the scope), the scope, the
// operation. A settable promise or a combinator fails with *Cancelled; the members of a combinator are left alone.
// What was cancelled by name and ends with *Cancelled does not fail its scope, unless it is a scope (P-063).
// Cancelling a settled promise does nothing.
func (p *Promise) Cancel(cause error) {
	if p.Settled() {
		return
	}
	if p.producer != nil {
		p.producer.self.cancelByName(cause)
		return
	}
	if p.link != nil {
		p.link.tear()
	}
	if p.group != nil {
		if p.group.late != nil {
			return // it is about to fail, which must not be lost
		}
		p.group.tear()
	}
	_ = p.settle(nil, cancelledBy(cause)) // a conflict concerns whoever set the chained promise before
}

type callback func()

func (f callback) settled(*wait) error { f(); return nil }

// OnSettle calls f when the promise settles, in its turn among the waiters, or at once if it has. f may only append to
// the queue or settle other promises. It does not count as observing.
func (p *Promise) OnSettle(f func()) {
	if p.Settled() {
		f()
		return
	}
	p.add(new(wait), callback(f), 0)
}
