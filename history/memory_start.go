package history

import (
	"context"
	"fmt"
	"slices"
)

// startable reports whether all runs of a step can begin that have to.
func (m *Memory) startable(r *record, s *Step) error {
	begun := map[string]bool{}
	for i := range s.Start {
		n := &s.Start[i]
		if err := m.known(n); err != nil {
			return err
		}
		err := m.free(n)
		switch last := m.last(n.Run.ID); {
		case begun[n.Run.ID]:
			err = errExists(n.Run.Ref)
		case r != nil && last == r && s.Turn != nil && s.Turn.Closes() && (n.Run.Number == 0 || n.Run.Number > last.run.Number):
			err = nil // the step ends the one that is there
		}
		if err == nil {
			begun[n.Run.ID] = true
		} else if n.Else == nil {
			return err
		}
	}
	return nil
}

func (m *Memory) last(id string) *record {
	have := m.runs[id]
	if len(have) == 0 {
		return nil
	}
	return have[len(have)-1]
}

// free reports whether a run can be added.
func (m *Memory) free(n *NewRun) error {
	last := m.last(n.Run.ID)
	if last == nil || last.run.Status != Open && (n.Run.Number == 0 || n.Run.Number > last.run.Number) {
		return nil
	}
	return errExists(last.run.Ref)
}

func errExists(ref Ref) error {
	return fmt.Errorf("history: run %q number %d %w", ref.ID, ref.Number, ErrExists)
}

// known reports whether the sources of a run are there, or given with it.
func (m *Memory) known(n *NewRun) error {
	if _, ok := m.sources[n.Run.Program]; ok {
		return nil
	}
	return n.Sources.Verify(n.Run.Program)
}

func (m *Memory) add(n NewRun, owner int64) (*record, error) {
	if err := m.free(&n); err != nil {
		return nil, err
	}
	if err := m.keep(n.Run.Program, n.Sources); err != nil {
		return nil, err
	}
	run := Run{Ref: n.Run.Ref, Workflow: n.Run.Workflow, Program: n.Run.Program, Input: n.Run.Input, Parent: n.Run.Parent, Created: n.Run.Created,
		Status: Open, Owner: owner, Wake: n.Wake}
	if run.Number == 0 {
		run.Number = 1
		if last := m.last(run.ID); last != nil {
			run.Number = last.run.Number + 1
		}
	}
	return m.put(&record{run: run}), nil
}

// keep keeps sources that are not there yet.
func (m *Memory) keep(hash string, sources Sources) error {
	if err := m.known(&NewRun{Run: Run{Program: hash}, Sources: sources}); err != nil {
		return err
	}
	if m.sources == nil {
		m.sources = map[string]Sources{}
	}
	if _, ok := m.sources[hash]; !ok {
		m.sources[hash] = sources
	}
	return nil
}

func (m *Memory) put(r *record) *record {
	if m.runs == nil {
		m.runs = map[string][]*record{}
	}
	have := append(m.runs[r.run.ID], r)
	slices.SortFunc(have, func(a, b *record) int { return a.run.Number - b.run.Number })
	m.runs[r.run.ID] = have
	m.order = append(m.order, r)
	return r
}

// Create implements Store.
func (m *Memory) Create(_ context.Context, run NewRun) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.add(run, 0); err != nil {
		return err
	}
	m.watch.changed()
	return nil
}
