package history

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
)

// Memory is a Store that forgets everything at the end of the process. The zero value is ready.
type Memory struct {
	mu      sync.RWMutex
	runs    map[string][]*record // by ID, in the order of their numbers
	order   []*record            // as they came
	sources map[string]Sources
	owners  map[int64]Owner
	joined  int64
	mail    []Mail // in order
	sent    int64
	watch   watchers
}

type record struct {
	run      Run
	turns    []Turn
	attempts map[string]Attempt
}

var _ Store = (*Memory)(nil)

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

// Attempts implements Store.
func (m *Memory) Attempts(_ context.Context, ref Ref) ([]Attempt, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	r, err := m.find(ref)
	if err != nil {
		return nil, err
	}
	var all []Attempt
	for _, op := range slices.Sorted(maps.Keys(r.attempts)) {
		all = append(all, r.attempts[op])
	}
	return all, nil
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
			if filter.Match(&r.run) {
				found = append(found, r.run)
			}
		}
		m.mu.RUnlock()
		slices.SortStableFunc(found, func(a, b Run) int { return b.Created.Compare(a.Created) })
		if filter.Limit > 0 && filter.Limit < len(found) {
			found = found[:filter.Limit]
		}
		for _, r := range found {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Import implements Store.
func (m *Memory) Import(_ context.Context, rec Recording) error {
	run, err := rec.Rebuild()
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.runs[run.ID] {
		n := r.run.Number
		if n == run.Number || r.run.Status == Open && n < run.Number || run.Status == Open && (r.run.Status == Open || n > run.Number) {
			return fmt.Errorf("history: run %q number %d %w", run.ID, n, ErrExists)
		}
	}
	if err := m.keep(run.Program, rec.Sources); err != nil {
		return err
	}
	m.put(&record{run: run, turns: rec.Turns})
	m.watch.changed()
	return nil
}

// Delete implements Store.
func (m *Memory) Delete(_ context.Context, ref Ref) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.find(ref)
	if err != nil {
		return err
	}
	if r.run.Status == Open {
		return fmt.Errorf("history: run %q %w", r.run.ID, ErrOpen)
	}
	same := func(x *record) bool { return x == r }
	if m.last(r.run.ID) == r { // it had been continued, and the next has not begun
		m.mail = slices.DeleteFunc(m.mail, func(mail Mail) bool { return mail.To == r.run.ID })
	}
	if m.runs[r.run.ID] = slices.DeleteFunc(m.runs[r.run.ID], same); len(m.runs[r.run.ID]) == 0 {
		delete(m.runs, r.run.ID)
	}
	m.order = slices.DeleteFunc(m.order, same)
	m.watch.changed()
	return nil
}

// Watch implements Store.
func (m *Memory) Watch(changed func()) (stop func()) { return m.watch.add(changed) }

// Close implements Store.
func (m *Memory) Close() error { return nil }

func (m *Memory) find(ref Ref) (*record, error) {
	have := m.runs[ref.ID]
	for _, r := range slices.Backward(have) {
		if n := r.run.Number; n == cmp.Or(ref.Number, n) {
			return r, nil
		}
	}
	return nil, fmt.Errorf("history: run %q number %d %w", ref.ID, ref.Number, ErrNotFound)
}
