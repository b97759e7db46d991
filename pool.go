package flowlua

import (
	"context"
	"sync"
)

// pool lets at most max goroutines work on a queue. There is none while nothing is queued: a goroutine ends when it
// finds the queue empty. The zero value needs max and work.
type pool[T any] struct {
	max  int
	work func(item T, mine *bool) // sets mine to false if the slot was given up during the work

	mu      sync.Mutex
	urgent  ring[T]
	queue   ring[T]
	streak  int // urgent items taken in a row while others waited
	slots   int // goroutines that work on the queue
	alive   int // these, and those whose slot was given up
	stopped bool
	empty   chan struct{} // closed when stopped and none is alive
}

// add queues items in order. What comes after stop is dropped.
func (p *pool[T]) add(items ...T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return
	}
	p.queue.add(items...)
	p.hire()
}

// addUrgent queues an item before those of add; one in eight is taken from these all the same.
func (p *pool[T]) addUrgent(item T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return
	}
	p.urgent.add(item)
	p.hire()
}

// lend does the work on an item in the goroutine of the caller, beside those of the pool; false if the pool is closed.
func (p *pool[T]) lend(item T) bool {
	p.mu.Lock()
	if p.stopped {
		p.mu.Unlock()
		return false
	}
	p.alive++
	p.mu.Unlock()
	mine := false
	defer func() { p.leave(false) }()
	p.work(item, &mine)
	return true
}

// hire starts goroutines, one for each queued item up to max.
func (p *pool[T]) hire() {
	for n := min(p.max-p.slots, p.queue.len()+p.urgent.len()); n > 0; n-- {
		p.slots++
		p.alive++
		go p.loop()
	}
}

func (p *pool[T]) loop() {
	mine := true
	defer func() { p.leave(mine) }() // also after runtime.Goexit in the work
	for mine {
		item, ok := p.next()
		if !ok {
			return
		}
		p.work(item, &mine)
	}
}

func (p *pool[T]) next() (item T, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped || p.queue.len()+p.urgent.len() == 0 {
		return item, false
	}
	if p.urgent.len() == 0 || p.streak >= 7 && p.queue.len() > 0 {
		p.streak = 0
		return p.queue.take(), true
	}
	p.streak++
	return p.urgent.take(), true
}

// giveUp frees the slot of a goroutine that does not come back from its work; another takes its place.
func (p *pool[T]) giveUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slots--
	if !p.stopped {
		p.hire()
	}
}

func (p *pool[T]) leave(mine bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.alive--
	if mine {
		p.slots--
		if !p.stopped {
			p.hire() // something may have been queued since next said there was nothing
		}
	}
	if p.alive == 0 && p.empty != nil {
		close(p.empty)
		p.empty = nil
	}
}

// close drops the queue and refuses what comes later.
func (p *pool[T]) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	p.queue, p.urgent = ring[T]{}, ring[T]{}
}

// wait returns when the last goroutine has ended, or with the error of ctx. The pool is closed.
func (p *pool[T]) wait(ctx context.Context) error {
	p.mu.Lock()
	if p.alive == 0 {
		p.mu.Unlock()
		return nil
	}
	if p.empty == nil {
		p.empty = make(chan struct{})
	}
	empty := p.empty
	p.mu.Unlock()
	select {
	case <-empty:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ring is a queue that keeps its memory.
type ring[T any] struct {
	items []T
	head  int // index of the first
}

func (r *ring[T]) len() int { return len(r.items) - r.head }

func (r *ring[T]) add(items ...T) {
	if r.head > 1024 && r.head > len(r.items)/2 {
		n := copy(r.items, r.items[r.head:])
		clear(r.items[n:])
		r.items, r.head = r.items[:n], 0
	}
	r.items = append(r.items, items...)
}

func (r *ring[T]) take() (item T) {
	var none T
	item, r.items[r.head] = r.items[r.head], none
	r.head++
	if r.head == len(r.items) {
		r.items, r.head = r.items[:0], 0
	}
	return item
}
