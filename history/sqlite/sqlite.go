// Package sqlite keeps runs in a file: a history.Store over SQLite, for any number of processes on one machine.
//
// A commit is one transaction that the disk has before it is acknowledged. What a turn writes is small and lies together: the
// turn is appended, and the little row of its open run is updated; so many runs can take a turn in one commit for not much
// more than the bytes that they say.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/flowlua/flowlua/history"
)

// Config says how a store works. The zero value is right for most.
type Config struct {
	// Synchronous is "full" (what is committed survives a power failure; the default) or "normal" (what is committed survives
	// the end of the process; the last commits may be lost in a power failure, the store stays whole).
	Synchronous string

	fault func(point string) error // of tests: called at the points of a transaction, whose connection is dropped on an error
}

// Store is a history.Store in a file.
type Store struct {
	path   string
	config Config

	mu     sync.Mutex // of the writer and what belongs to it
	writer *conn      // nil: to be opened
	known  known
	wrote  bool  // something was committed
	saved  error // what has become of a store whose files were taken away; nil: they were not
	closed bool

	location location

	pool  pool
	locks locks
	watch watch
}

var _ history.Store = (*Store)(nil)

// Close implements history.Store. Owners that have not left are taken for dead by others.
func (s *Store) Close() error {
	s.watch.close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	var moved error
	if s.wrote {
		moved = s.inPlace()
	}
	s.pool.close()
	err := s.writer.close() // the last one: it cleans up
	s.writer = nil
	s.locks.close()
	if err != nil {
		err = s.trouble("close", err)
	}
	return errors.Join(moved, err)
}

// Path is where the store is.
func (s *Store) Path() string { return s.path }

func (s *Store) errClosed() error {
	return fmt.Errorf("history: the store %s is closed: open it again", s.path)
}

// known is what the writer need not look up. It holds only what has been committed, and never what could become wrong: keys
// and hashes are not used twice.
type known struct {
	keys    map[history.Ref]int64 // of open runs
	sources map[string]bool
}

const maxKnown = 1 << 16

func (k *known) run(ref history.Ref, key int64) {
	if k.keys == nil || len(k.keys) >= maxKnown {
		k.keys = map[history.Ref]int64{}
	}
	k.keys[ref] = key
}

func (k *known) source(hash string) {
	if k.sources == nil || len(k.sources) >= maxKnown {
		k.sources = map[string]bool{}
	}
	k.sources[hash] = true
}

// ended says whether a caller has given up, before anything is begun; what has begun is finished.
func ended(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	return nil
}
