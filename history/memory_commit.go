package history

import (
	"context"
	"fmt"
	"slices"
)

// Commit implements Store.
func (m *Memory) Commit(_ context.Context, owner int64, steps []Step) ([]Written, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.lease(owner); err != nil {
		return nil, err
	}
	written := make([]Written, len(steps))
	for i := range steps {
		written[i].Started, written[i].Err = m.step(owner, &steps[i])
	}
	if len(m.owners) > 1 {
		m.watch.changed()
	}
	return written, nil
}

// step writes one step. It checks everything before it changes anything.
func (m *Memory) step(owner int64, s *Step) (started []Ref, err error) {
	var r *record
	if s.Ref != (Ref{}) {
		if r, err = m.owned(owner, s); err != nil {
			return nil, err
		}
	}
	if err := m.startable(r, s); err != nil {
		return nil, err
	}
	if r != nil {
		m.write(r, s)
	}
	for i := range s.Start {
		added, err := m.add(s.Start[i], owner)
		if err != nil { // there is an Else
			m.reply(r, s.Start[i].Else)
			started = append(started, Ref{})
			continue
		}
		started = append(started, added.run.Ref)
	}
	for i := range s.Send {
		mail := &s.Send[i]
		if m.send(mail) != nil {
			m.reply(r, mail.Lost)
		} else {
			m.reply(r, mail.Sent)
		}
	}
	if r != nil && s.Halt != "" && r.run.Status == Open {
		r.run.Halted, r.run.Owner = s.Halt, 0
	}
	return started, nil
}

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

// owned is the run of a step that may be written.
func (m *Memory) owned(owner int64, s *Step) (*record, error) {
	r, err := m.find(s.Ref)
	switch {
	case err != nil:
		return nil, err
	case r.run.Status != Open:
		return nil, fmt.Errorf("history: run %q is %s: %w", r.run.ID, r.run.Status, ErrConflict)
	case r.run.Owner != owner:
		return nil, fmt.Errorf("history: run %q is owner %d's, not %d's: %w", r.run.ID, r.run.Owner, owner, ErrConflict)
	case s.Turn != nil && s.Turn.Seq != r.run.Turns+1:
		return nil, fmt.Errorf("history: run %q: turn %d cannot follow turn %d: %w", r.run.ID, s.Turn.Seq, r.run.Turns, ErrConflict)
	}
	return r, nil
}

func (m *Memory) write(r *record, s *Step) {
	if s.Turn != nil {
		r.turns = append(r.turns, *s.Turn)
		r.run.Wake = s.Wake
		r.run.Apply(*s.Turn)
	}
	for _, op := range s.Ended {
		delete(r.attempts, op)
	}
	for _, a := range s.Attempts {
		if r.attempts == nil {
			r.attempts = map[string]Attempt{}
		}
		r.attempts[a.Op] = a
	}
	if r.run.Status != Open {
		r.attempts = nil
	}
	if s.Mail == 0 && r.run.Status == Open {
		return
	}
	m.mail = slices.DeleteFunc(m.mail, func(mail Mail) bool {
		switch {
		case mail.To != r.run.ID:
			return false
		case r.run.Status == Continued:
			return mail.Seq <= s.Mail || mail.Number != 0 // the rest is for the next
		}
		return mail.Seq <= s.Mail || r.run.Status != Open
	})
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

// Revise implements Store.
func (m *Memory) Revise(_ context.Context, ref Ref, turns int64, sources Sources) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.find(ref)
	switch {
	case err != nil:
		return err
	case r.run.Status != Open:
		return fmt.Errorf("history: run %q %w", ref.ID, ErrEnded)
	case r.run.Turns != turns:
		return fmt.Errorf("history: run %q has made %d turns, not %d: %w", ref.ID, r.run.Turns, turns, ErrConflict)
	}
	r.run.Program, r.run.Owner, r.run.Halted = sources.Hash(), 0, ""
	if err := m.keep(r.run.Program, sources); err != nil {
		return err
	}
	m.watch.changed()
	return nil
}
