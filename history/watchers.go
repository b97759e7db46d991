package history

import "sync"

// watchers are told that something has changed. The zero value is ready.
type watchers struct {
	mu   sync.Mutex
	next int
	all  map[int]func()
}

func (w *watchers) add(changed func()) (stop func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[int]func(){}
	}
	n := w.next
	w.next++
	w.all[n] = changed
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.all, n)
	}
}

func (w *watchers) changed() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, changed := range w.all {
		changed()
	}
}
