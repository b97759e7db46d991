package history

import (
	"context"
	"fmt"
)

// Send implements Store.
func (m *Memory) Send(_ context.Context, mail Mail) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.send(&mail); err != nil {
		return err
	}
	m.watch.changed()
	return nil
}

// Inbox implements Store.
func (m *Memory) Inbox(_ context.Context, owner, after int64) ([]Mail, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	var inbox []Mail
	for _, mail := range m.mail {
		if r := m.last(mail.To); mail.Seq > after && r != nil && r.run.Status == Open && r.run.Owner == owner {
			inbox = append(inbox, mail)
		}
	}
	return inbox, nil
}

func (m *Memory) send(mail *Mail) error {
	r, err := m.find(Ref{ID: mail.To})
	switch {
	case err != nil:
		return err
	case !mail.For(&r.run):
		return fmt.Errorf("history: run %q %w", mail.To, ErrEnded)
	}
	m.post(&r.run, mail.Event)
	if mail.Number != 0 || mail.Child != nil {
		m.mail[len(m.mail)-1].Number = r.run.Number
	}
	return nil
}

// reply sends the run of a step what came of its mail.
func (m *Memory) reply(r *record, ev *Event) {
	if r != nil && ev != nil && r.run.Status == Open {
		m.post(&r.run, *ev)
		m.mail[len(m.mail)-1].Number = r.run.Number
	}
}

func (m *Memory) post(run *Run, ev Event) {
	m.sent++
	m.mail = append(m.mail, Mail{Seq: m.sent, To: run.ID, Event: ev})
}
