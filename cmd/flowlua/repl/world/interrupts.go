package world

import "sync"

// interrupts bring an interruption to what runs, whether it comes before that begins or after. The zero value is ready.
type interrupts struct {
	mu   sync.Mutex
	on   bool
	stop []func() // of what runs, the innermost last
}

// clear forgets an interruption.
func (i *interrupts) clear() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.on = false
}

// raise stops what runs, and what begins before clear.
func (i *interrupts) raise() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.on = true
	for _, stop := range i.stop {
		stop()
	}
}

// guard makes stop be called at an interruption, until ended is called. stop may be called by another goroutine.
func (i *interrupts) guard(stop func()) (ended func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stop = append(i.stop, stop)
	if i.on {
		stop()
	}
	depth := len(i.stop) - 1
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.stop = i.stop[:depth]
	}
}

func (i *interrupts) raised() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.on
}
