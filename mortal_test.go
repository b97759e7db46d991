package flowlua_test

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/flowlua/flowlua/history"
)

// mortal is a store for an engine that dies: at one of its commits, before or after that is written. From then on it neither
// reads nor writes, like a process that is no more.
type mortal struct {
	history.Store
	mu     sync.Mutex
	until  int  // commits to live; 0: for ever
	before bool // the last is not written
	dead   bool
	died   chan struct{}
}

var errDead = errors.New("dead")

func newMortal(store history.Store, until int, before bool) *mortal {
	return &mortal{Store: store, until: until, before: before, died: make(chan struct{})}
}

func (m *mortal) die() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.dead {
		m.dead = true
		close(m.died)
	}
	return errDead
}

func (m *mortal) alive() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return errDead
	}
	return nil
}

func (m *mortal) Commit(ctx context.Context, owner int64, steps []history.Step) ([]history.Written, error) {
	if err := m.alive(); err != nil {
		return nil, err
	}
	m.until--
	if m.until == 0 && m.before {
		return nil, m.die()
	}
	written, err := m.Store.Commit(ctx, owner, steps)
	if m.until == 0 {
		return nil, m.die()
	}
	return written, err
}

func (m *mortal) Renew(ctx context.Context, owner int64, until time.Time) error {
	if err := m.alive(); err != nil {
		return err
	}
	return m.Store.Renew(ctx, owner, until)
}

func (m *mortal) Leave(ctx context.Context, owner int64) error {
	if err := m.alive(); err != nil {
		return err
	}
	return m.Store.Leave(ctx, owner)
}

func (m *mortal) Claim(ctx context.Context, claim history.Claim) ([]history.Run, error) {
	if err := m.alive(); err != nil {
		return nil, err
	}
	return m.Store.Claim(ctx, claim)
}

func (m *mortal) Inbox(ctx context.Context, owner, after int64) ([]history.Mail, error) {
	if err := m.alive(); err != nil {
		return nil, err
	}
	return m.Store.Inbox(ctx, owner, after)
}

func (m *mortal) Close() error { return nil } // others use it
