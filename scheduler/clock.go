package scheduler

import (
	"container/heap"
	"fmt"
	"time"
)

// Clock is the time of a tree. Its Timer begins an operation that completes with nil after d.
type Clock interface {
	Now() time.Time
	Timer(b *Branch, d time.Duration, site Site) (*Operation, error)
}

// VirtualClock is a clock that stands still until it is told to go on, for tests. The zero value starts at the zero time.
type VirtualClock struct {
	now    time.Time
	timers timers
	count  int
}

// Now is the virtual time.
func (c *VirtualClock) Now() time.Time { return c.now }

// Timer begins a timer. One of 0 is ready at once (P-195), a negative duration is an error.
func (c *VirtualClock) Timer(b *Branch, d time.Duration, site Site) (*Operation, error) {
	if d < 0 {
		return nil, fmt.Errorf("a timer needs a duration of at least 0, found %v", d)
	}
	start := func(op *Operation, _ []any) error {
		c.count++
		heap.Push(&c.timers, timer{c.now.Add(d), c.count, op})
		return nil
	}
	op, err := b.Begin(OperationSpec{Kind: "timer", Name: d.String(), Site: site, Start: start})
	if err == nil && d == 0 {
		op.Complete(nil)
	}
	return op, err
}

// Next jumps to the next timer that still counts and completes it; false if there is none.
func (c *VirtualClock) Next() bool {
	for len(c.timers) > 0 {
		t := heap.Pop(&c.timers).(timer)
		if t.op.Done() {
			continue
		}
		c.now = t.at
		t.op.Complete(nil)
		return true
	}
	return false
}

// Advance lets d pass and completes the timers that end within, in their order, all at the new time.
func (c *VirtualClock) Advance(d time.Duration) {
	c.now = c.now.Add(d)
	for len(c.timers) > 0 && !c.timers[0].at.After(c.now) {
		heap.Pop(&c.timers).(timer).op.Complete(nil)
	}
}

// Waiting is how many timers still count.
func (c *VirtualClock) Waiting() int {
	n := 0
	for _, t := range c.timers {
		if !t.op.Done() {
			n++
		}
	}
	return n
}

type timer struct {
	at    time.Time
	order int
	op    *Operation
}

type timers []timer

func (t timers) Len() int { return len(t) }
func (t timers) Less(i, j int) bool {
	if c := t[i].at.Compare(t[j].at); c != 0 {
		return c < 0
	}
	return t[i].order < t[j].order
}
func (t timers) Swap(i, j int) { t[i], t[j] = t[j], t[i] }
func (t *timers) Push(x any)   { *t = append(*t, x.(timer)) }
func (t *timers) Pop() any {
	last := len(*t) - 1
	x := (*t)[last]
	(*t)[last] = timer{}
	*t = (*t)[:last]
	return x
}
