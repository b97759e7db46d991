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
	queue   []T
	head    int // index of the first in queue
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
	p.queue = append(p.queue, items...)
	p.hire()
}

// hire starts goroutines, one for each queued item up to max.
func (p *pool[T]) hire() {
	for n := min(p.max-p.slots, len(p.queue)-p.head); n > 0; n-- {
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
	if p.stopped || p.head == len(p.queue) {
		return item, false
	}
	var zero T
	item, p.queue[p.head] = p.queue[p.head], zero
	p.head++
	if p.head == len(p.queue) {
		p.queue, p.head = p.queue[:0], 0
	} else if p.head > 1024 && p.head > len(p.queue)/2 {
		n := copy(p.queue, p.queue[p.head:])
		clear(p.queue[n:])
		p.queue, p.head = p.queue[:n], 0
	}
	return item, true
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
	p.queue, p.head = nil, 0
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
