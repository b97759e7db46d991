package sqlite

import (
	"sync"
	"time"
)

// glance is how often a store that is watched looks for what other processes have written.
const glance = 20 * time.Millisecond

// watch calls those who watch. While there are any, one goroutine looks at the data_version of the writer's connection, which
// changes with every commit but that connection's own.
type watch struct {
	store *Store
	mu    sync.Mutex
	next  int
	all   map[int]func()
	stop  chan struct{} // of the goroutine
	done  chan struct{}
}

// Watch implements history.Store.
func (s *Store) Watch(changed func()) (stop func()) {
	w := &s.watch
	version := s.version() // from when on changes count
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[int]func(){}
	}
	n := w.next
	w.next++
	w.all[n] = changed
	if w.stop == nil {
		w.stop, w.done = make(chan struct{}), make(chan struct{})
		go w.run(version, w.stop, w.done)
	}
	return func() {
		w.mu.Lock()
		delete(w.all, n)
		last := len(w.all) == 0
		w.mu.Unlock()
		if last {
			w.end()
		}
	}
}

func (w *watch) run(version int64, stop, done chan struct{}) {
	defer close(done)
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		if now := w.store.version(); now != version {
			version = now
			w.changed()
		}
	}
}

// changed calls all who watch.
func (w *watch) changed() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, changed := range w.all {
		changed()
	}
}

// end stops the goroutine if nobody watches any more.
func (w *watch) end() {
	w.mu.Lock()
	stop, done := w.stop, w.done
	if len(w.all) > 0 || stop == nil {
		w.mu.Unlock()
		return
	}
	w.stop, w.done = nil, nil
	close(stop)
	w.mu.Unlock()
	<-done
}

func (w *watch) close() {
	w.mu.Lock()
	clear(w.all)
	w.mu.Unlock()
	w.end()
}

// version changes when another connection has written. While the store is in trouble it is 0.
func (s *Store) version() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writer == nil || s.closed {
		return 0
	}
	n, err := s.writer.number("PRAGMA data_version")
	if err != nil {
		return 0
	}
	return n
}
