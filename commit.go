package flowlua

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/flowlua/flowlua/history"
)

// commit is what is on its way into the store: the turn of a run, or something of the kind.
type commit struct {
	owner   int64 // under whose number it is written
	steps   []history.Step
	mayWait bool            // who adds it holds no lock
	done    func(c *commit) // called when it is written, or is not; it must not block
	written []history.Written
	err     error // why it is not

	// Of the turn of a run.
	turn     history.Turn
	acks     []func(error)
	children []*execution // that begin, in the order of Start; nil for one that could not
	next     *execution   // that continues the run
	halted   error        // the engine error that stops it
	left     error        // why the run is nobody's from now on
}

// maxBatch is how many commits go into one transaction: more would let the first of them wait for long.
const maxBatch = 512

// committer writes commits in order, all that have gathered while the last were written in one transaction. There is no
// goroutine while nothing is to be written.
type committer struct {
	write  func(batch []*commit)
	atOnce bool // who adds writes, if nobody does: for a store that never waits

	mu    sync.Mutex
	queue []*commit
	busy  bool
	idle  chan struct{} // closed when it is not busy any more; nil: nobody waits
}

func (c *committer) add(x *commit) {
	c.mu.Lock()
	c.queue = append(c.queue, x)
	idle := !c.busy
	c.busy = true
	c.mu.Unlock()
	switch {
	case idle && c.atOnce && x.mayWait:
		c.run()
	case idle:
		go c.run()
	}
}

func (c *committer) run() {
	var batch []*commit
	for {
		c.mu.Lock()
		if len(c.queue) == 0 {
			c.busy = false
			if c.idle != nil {
				close(c.idle)
				c.idle = nil
			}
			c.mu.Unlock()
			return
		}
		if len(c.queue) <= maxBatch {
			batch, c.queue = c.queue, batch[:0]
		} else {
			batch = append(batch[:0], c.queue[:maxBatch]...)
			c.queue = append(c.queue[:0], c.queue[maxBatch:]...)
		}
		c.mu.Unlock()
		c.write(batch)
		clear(batch)
	}
}

// wait returns when everything is written, or with the error of ctx.
func (c *committer) wait(ctx context.Context) error {
	c.mu.Lock()
	if !c.busy {
		c.mu.Unlock()
		return nil
	}
	if c.idle == nil {
		c.idle = make(chan struct{})
	}
	idle := c.idle
	c.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write is one transaction.
func (e *Engine) write(batch []*commit) {
	owner := e.lease.number()
	steps := make([]history.Step, 0, len(batch)+len(batch)/2)
	sends := false
	for _, c := range batch {
		if c.owner != owner {
			c.err = errFenced
			continue
		}
		for i := range c.steps {
			sends = sends || len(c.steps[i].Send) > 0 || len(c.steps[i].Start) > 0
		}
		steps = append(steps, c.steps...)
	}
	written, err := e.store.Commit(context.Background(), owner, steps)
	if err != nil {
		err = e.trouble(owner, err)
	}
	for _, c := range batch {
		if c.err == nil && err != nil {
			c.err = err
		} else if c.err == nil {
			c.written, written = written[:len(c.steps)], written[len(c.steps):]
			for i := range c.written {
				if c.err = c.written[i].Err; c.err != nil {
					if isFenced(c.err) {
						c.err = errFenced
					}
					break
				}
			}
		}
		c.done(c)
	}
	if sends && err == nil {
		e.collect()
	}
}

// trouble is what a refusal of the whole store means.
func (e *Engine) trouble(owner int64, err error) error {
	if isFenced(err) {
		e.chores.add(func() { e.fenced(owner) })
		return errFenced
	}
	if errors.Is(err, history.ErrMoved) {
		e.chores.add(func() { e.storeMoved(err) })
	}
	return fmt.Errorf("flowlua: the run cannot be stored: %w", err)
}
