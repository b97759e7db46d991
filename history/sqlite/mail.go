package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/flowlua/flowlua/history"
)

// Send implements history.Store.
func (s *Store) Send(ctx context.Context, mail history.Mail) error {
	event, err := history.EncodeEvent(&mail.Event)
	if err != nil {
		return err
	}
	return s.alone(ctx, "send to", func(k *commit) error {
		no, err := k.send(&mail, event)
		return errors.Join(err, refuse(no))
	})
}

// send puts an event on its way, if there is a run that gets it.
func (k *commit) send(mail *history.Mail, event []byte) (no, err error) {
	row, err := k.c.first(`
		SELECT r.number, r.parent_id, r.parent_number, r.parent_op, r.status, o.owner FROM runs r LEFT JOIN open o ON o.run = r.key
		WHERE r.id = ? ORDER BY r.number DESC LIMIT 1`, mail.To)
	switch {
	case err != nil:
		return nil, err
	case row == nil:
		return notFound(history.Ref{ID: mail.To}), nil
	}
	run := history.Run{Ref: history.Ref{ID: mail.To, Number: int(integer(row[0]))}, Status: statuses[integer(row[4])]}
	if row[1] != nil {
		run.Parent = &history.Parent{Ref: history.Ref{ID: text(row[1]), Number: int(integer(row[2]))}, Op: text(row[3])}
	}
	if !mail.For(&run) {
		return fmt.Errorf("history: run %q %w", mail.To, history.ErrEnded), nil
	}
	number := 0
	if mail.Number != 0 || mail.Child != nil {
		number = run.Number
	}
	k.own = k.own && integer(row[5]) == k.owner
	return nil, k.c.run("INSERT INTO mail(id, number, event) VALUES(?, ?, ?)", mail.To, int64(number), event)
}

// Inbox implements history.Store.
func (s *Store) Inbox(ctx context.Context, owner, after int64) (inbox []history.Mail, err error) {
	if err := ended(ctx); err != nil {
		return nil, err
	}
	err = s.read(func(c *conn) error {
		return c.query(`
			SELECT m.seq, m.id, m.number, m.event
			FROM mail m CROSS JOIN runs r ON r.id = m.id CROSS JOIN open o ON o.run = r.key
			WHERE m.seq > ? AND o.owner = ? ORDER BY m.seq`, []any{after, owner}, func(row []driver.Value) (bool, error) {
			mail := history.Mail{Seq: integer(row[0]), To: text(row[1]), Number: int(integer(row[2]))}
			var err error
			if mail.Event, err = history.DecodeEvent(raw(row[3])); err != nil {
				return false, fmt.Errorf("%w (of mail %d to run %q)", err, mail.Seq, mail.To)
			}
			inbox = append(inbox, mail)
			return true, nil
		})
	})
	return inbox, err
}
