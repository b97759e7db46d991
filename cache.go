package flowlua

import (
	"cmp"
	"container/list"
	"sync"
)

// idleRuns are those in memory that have nothing to do, the longest idle first. What is more than the engine keeps is
// evicted: it is rebuilt from its history when something happens to it.
type idleRuns struct {
	mu   sync.Mutex
	list list.List // of *execution
}

const defaultCache = 1000

// rest notes whether a run has nothing to do, as it seems, and evicts others. It is called by who works on the run.
func (e *Engine) rest(r *execution) {
	if r.flow == nil || len(r.tasks) > 0 {
		e.unrest(r)
		return
	}
	e.idle.mu.Lock()
	if r.idle == nil {
		r.idle = e.idle.list.PushBack(r)
	} else {
		e.idle.list.MoveToBack(r.idle)
	}
	var oldest *execution
	if e.idle.list.Len() > cmp.Or(e.config.Cache, defaultCache) {
		front := e.idle.list.Front()
		oldest = front.Value.(*execution)
		e.idle.list.Remove(front)
		oldest.idle = nil
	}
	e.idle.mu.Unlock()
	if oldest != nil {
		oldest.call(func(r *execution) { r.evict() })
	}
}

func (e *Engine) unrest(r *execution) {
	e.idle.mu.Lock()
	defer e.idle.mu.Unlock()
	if r.idle != nil {
		e.idle.list.Remove(r.idle)
		r.idle = nil
	}
}

// evict frees the memory of a run that has nothing to do. Its timers stay.
func (r *execution) evict() {
	r.mu.Lock()
	busy := r.inbox.Len()+len(r.mail) > 0
	r.mu.Unlock()
	if busy || r.flow == nil || len(r.tasks) > 0 {
		return
	}
	r.flow.Close()
	r.flow = nil
}
