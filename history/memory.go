package history

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
)

// Memory is a Store that forgets everything at the end of the process. The zero value is ready.
type Memory struct {
	mu      sync.RWMutex
	runs    map[string][]*record // by ID; index Number-1
	order   []*record            // as created
	sources map[string]Sources
}

type record struct {
	run   Run
	turns []Turn
}

var _ Store = (*Memory)(nil)

// Create implements Store.
func (m *Memory) Create(_ context.Context, run Run, sources Sources) error {
	run.Number = cmp.Or(run.Number, 1)
	run.Status = cmp.Or(run.Status, Open)
	m.mu.Lock()
	defer m.mu.Unlock()
	have := m.runs[run.ID]
	switch {
	case run.Number <= len(have):
		return fmt.Errorf("history: run %q number %d %w", run.ID, run.Number, ErrExists)
	case run.Number > len(have)+1:
		return fmt.Errorf("history: run %q number %d: number %d %w", run.ID, run.Number, run.Number-1, ErrNotFound)
	}
	if m.runs == nil {
		m.runs, m.sources = map[string][]*record{}, map[string]Sources{}
	}
	if _, ok := m.sources[run.Program]; !ok {
		m.sources[run.Program] = sources
	}
	r := &record{run: run}
	m.runs[run.ID] = append(have, r)
	m.order = append(m.order, r)
	return nil
}

// Append implements Store.
func (m *Memory) Append(_ context.Context, ref Ref, turn Turn) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.find(ref)
	if err != nil {
		return err
	}
	if r.run.Status != Open {
		return fmt.Errorf("history: run %q is %s: turn %d not appended: %w", ref.ID, r.run.Status, turn.Seq, ErrConflict)
	}
	if turn.Seq != r.run.Turns+1 {
		return fmt.Errorf("history: run %q: turn %d cannot follow turn %d: %w", ref.ID, turn.Seq, r.run.Turns, ErrConflict)
	}
	r.turns = append(r.turns, turn)
	r.run.Apply(turn)
	return nil
}

// Run implements Store.
func (m *Memory) Run(_ context.Context, ref Ref) (Run, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	r, err := m.find(ref)
	if err != nil {
		return Run{}, err
	}
	return r.run, nil
}

// Turns implements Store. It shows the turns there were when the loop began.
func (m *Memory) Turns(_ context.Context, ref Ref, after int64) iter.Seq2[Turn, error] {
	return func(yield func(Turn, error) bool) {
		m.mu.RLock()
		r, err := m.find(ref)
		var turns []Turn
		if err == nil {
			turns = r.turns // only ever appended to
		}
		m.mu.RUnlock()
		if err != nil {
			yield(Turn{}, err)
			return
		}
		for _, t := range turns[min(max(after, 0), int64(len(turns))):] {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// Sources implements Store.
func (m *Memory) Sources(_ context.Context, hash string) (Sources, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	s, ok := m.sources[hash]
	if !ok {
		return Sources{}, fmt.Errorf("history: sources %.12s %w", hash, ErrNotFound)
	}
	return s, nil
}

// Runs implements Store. It shows the runs there were when the loop began.
func (m *Memory) Runs(_ context.Context, filter Filter) iter.Seq2[Run, error] {
	return func(yield func(Run, error) bool) {
		m.mu.RLock()
		var found []Run
		for _, r := range slices.Backward(m.order) {
			if filter.Limit > 0 && len(found) == filter.Limit {
				break
			}
			if filter.Match(&r.run) {
				found = append(found, r.run)
			}
		}
		m.mu.RUnlock()
		for _, r := range found {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Close implements Store.
func (m *Memory) Close() error { return nil }

func (m *Memory) find(ref Ref) (*record, error) {
	have := m.runs[ref.ID]
	n := cmp.Or(ref.Number, len(have))
	if n < 1 || n > len(have) {
		return nil, fmt.Errorf("history: run %q number %d %w", ref.ID, ref.Number, ErrNotFound)
	}
	return have[n-1], nil
}
