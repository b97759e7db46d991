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
	if r != nil && (s.Leave || s.Halt != "") && r.run.Status == Open {
		r.run.Halted, r.run.Owner = s.Halt, 0
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
