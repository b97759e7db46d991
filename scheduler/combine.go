package scheduler

import (
	"fmt"
	"strings"
)

// Winner is the value of Any and Race: which promise it was, and its value. Of nothing, the index is -1.
type Winner struct {
	Index int
	Value any
}

// Settled is the value of Outcome.
type Settled struct {
	Value any
	Err   error
}

// AllFailed is the failure of Any: every promise failed, in their order.
type AllFailed struct{ Errors []error }

// Error lists the failures.
func (e *AllFailed) Error() string {
	texts := make([]string, len(e.Errors))
	for i, err := range e.Errors {
		texts[i] = err.Error()
	}
	return fmt.Sprintf("all %d failed: %s", len(texts), strings.Join(texts, "; "))
}

// Unwrap returns the failures.
func (e *AllFailed) Unwrap() []error { return e.Errors }

type combination uint8

const (
	all combination = iota
	anyOf
	race
	outcome
)

// combinator is a producer without a body: it belongs to the scope of the branch that made it, or to the nearest scope
// around that is still open when it fails without an observer (rule 4).
type combinator struct {
	Promise
	scope   *Scope
	waits   []wait
	members []*Promise
	left    int
	late    error // it had failed when it was made; settles in its turn, so that its maker can observe it first
	how     combination
}

// All is a promise of []any, the values of ps in order; it fails with the first failure. nil counts as ready with nil.
// It is ready at once if all of ps are.
func All(b *Branch, ps []*Promise) *Promise { return combine(b, all, ps) }

// Any is a promise of the Winner: the first of ps to succeed. It fails with *AllFailed when all failed, or with the
// last *Cancelled if all were cancelled. Losers are left running.
func Any(b *Branch, ps []*Promise) *Promise { return combine(b, anyOf, ps) }

// Race is a promise of the Winner: the first of ps to settle; it fails if that one failed. Losers are left running.
func Race(b *Branch, ps []*Promise) *Promise { return combine(b, race, ps) }

// Outcome is a promise of how p Settled. It never fails.
func Outcome(b *Branch, p *Promise) *Promise { return combine(b, outcome, []*Promise{p}) }

func combine(b *Branch, how combination, ps []*Promise) *Promise {
	c := &combinator{scope: b.scope, how: how, members: ps, left: len(ps)}
	c.group = c
	for _, p := range ps {
		if p != nil {
			p.Observe()
		}
	}
	if len(ps) == 0 {
		c.decide(-1, nil, nil)
	}
	c.waits = make([]wait, len(ps))
	for i, p := range ps {
		if c.Promise.Settled() || c.late != nil {
			break
		}
		switch {
		case p == nil:
			c.decide(i, nil, nil)
		case p.Settled():
			c.decide(i, p.value, p.err)
		default:
			p.add(&c.waits[i], c, i)
		}
	}
	c.started()
	return &c.Promise
}

// started queues a failure that was there from the beginning.
func (c *combinator) started() {
	if c.late != nil {
		c.detach()
		c.scope.tree.queue.push(c)
	}
}

func (c *combinator) settled(w *wait) error {
	c.decide(int(w.index), w.promise.value, w.promise.err)
	if c.late != nil {
		c.fail()
	}
	return nil
}

// decide takes in that member i has settled.
func (c *combinator) decide(i int, v any, err error) {
	if c.Promise.Settled() || c.late != nil {
		return
	}
	c.left--
	switch c.how {
	case outcome:
		c.succeed(Settled{v, err})
	case race:
		if err != nil {
			c.late = err
			return
		}
		c.succeed(Winner{i, v})
	case anyOf:
		switch {
		case err == nil:
			c.succeed(Winner{i, v})
		case c.left == 0:
			c.late = c.failures(err)
		}
	case all:
		switch {
		case err != nil:
			c.late = err
		case c.left <= 0:
			c.succeed(c.values())
		}
	}
}

func (c *combinator) values() []any {
	vs := make([]any, len(c.members))
	for i, p := range c.members {
		if p != nil {
			vs[i] = p.value
		}
	}
	return vs
}

func (c *combinator) failures(last error) error {
	real := false
	e := &AllFailed{}
	for _, p := range c.members {
		e.Errors = append(e.Errors, p.err)
		real = real || AsCancelled(p.err) == nil
	}
	if !real {
		return last
	}
	return e
}

func (c *combinator) succeed(v any) {
	c.detach()
	_ = c.Promise.settle(v, nil)
}

func (c *combinator) fail() {
	observed := c.observers > 0
	c.detach()
	_ = c.Promise.settle(nil, c.late)
	if !observed {
		c.scope.tree.queue.push(c)
	}
}

// tear ends the waiting of one that was cancelled: a failure of a member is not for it any more.
func (c *combinator) tear() {
	for i := range c.waits {
		c.waits[i].tear()
	}
	c.waits = nil
}

// detach ends the waiting; the members stay observed.
func (c *combinator) detach() {
	for i := range c.waits {
		c.waits[i].remove()
	}
	c.waits = nil
}

// step fails the scope, or first settles the promise if it was born failed.
func (c *combinator) step() {
	if !c.Promise.Settled() {
		observed := c.observers > 0
		_ = c.Promise.settle(nil, c.late)
		if observed {
			return
		}
	}
	s := c.scope
	for s != nil && s.state == Closed {
		s = s.scope
	}
	s.fail(nil, c.late)
}
