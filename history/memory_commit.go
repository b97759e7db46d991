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
	closes := r != nil && s.Turn != nil && s.Turn.Closes()
	for i := range s.Start {
		n := &s.Start[i]
		if n.Else == nil && !(closes && n.Run.ID == r.run.ID) {
			if err := m.free(n); err != nil {
				return nil, err
			}
		}
	}
	if r != nil {
		m.write(r, s)
	}
	for i := range s.Start {
		added, err := m.add(s.Start[i], owner)
		if err != nil {
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
	return started, nil
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
	if s.Mail > 0 || r.run.Status != Open {
		gone := r.run.Status != Open && r.run.Status != Continued
		m.mail = slices.DeleteFunc(m.mail, func(mail Mail) bool {
			return mail.To == r.run.ID && (gone || mail.Seq <= s.Mail)
		})
	}
	if r.run.Status != Open {
		r.attempts = nil
	}
	if s.Halt != "" {
		r.run.Halted, r.run.Owner = s.Halt, 0
	}
}

// free reports whether a run can be added.
func (m *Memory) free(n *NewRun) error {
	last, err := m.find(Ref{ID: n.Run.ID})
	if err != nil {
		return nil
	}
	if n.Run.Number > last.run.Number && last.run.Status != Open || n.Run.Number == 0 && last.run.Status != Open {
		return nil
	}
	return fmt.Errorf("history: run %q number %d %w", n.Run.ID, last.run.Number, ErrExists)
}

func (m *Memory) add(n NewRun, owner int64) (*record, error) {
	if err := m.free(&n); err != nil {
		return nil, err
	}
	run := n.Run
	if run.Number == 0 {
		run.Number = 1
		if last, err := m.find(Ref{ID: run.ID}); err == nil {
			run.Number = last.run.Number + 1
		}
	}
	run.Status, run.Owner, run.Wake = Open, owner, n.Wake
	if m.runs == nil {
		m.runs, m.sources = map[string][]*record{}, map[string]Sources{}
	}
	if _, ok := m.sources[run.Program]; !ok {
		m.sources[run.Program] = n.Sources
	}
	r := &record{run: run}
	m.runs[run.ID] = append(m.runs[run.ID], r)
	m.order = append(m.order, r)
	return r, nil
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
	m.sources[r.run.Program] = sources
	m.watch.changed()
	return nil
}
