//go:build !linux

package sqlite

import "sync"

// locks cannot tell here whether the process of an owner lives: its lease has to run out.
type locks struct {
	path string
	mu   sync.Mutex
	held map[int64]bool
}

func (l *locks) hold(owner int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held == nil {
		l.held = map[int64]bool{}
	}
	l.held[owner] = true
	return nil
}

func (l *locks) release(owner int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.held, owner)
}

func (l *locks) gone(int64) bool { return false }

func (l *locks) several() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.held) > 1
}

func (l *locks) close() {}
