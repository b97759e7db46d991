package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/flowlua/flowlua/history"
)

// commit is one transaction of an owner.
type commit struct {
	store *Store
	c     *conn
	owner int64
	place int64 // of the next turn
	known known // as it is when this is committed
	own   bool  // nothing that another owner should know of is in it
	fresh *fresh
}

// fresh is the open run that was begun last: its row waits for the turn that follows at once, as it does for most.
type fresh struct {
	ref                     history.Ref
	key, owner, turns, last int64
	wake                    time.Time
}

// settle writes the row that waits. Whoever looks at open runs calls it before.
func (k *commit) settle() error {
	f := k.fresh
	if f == nil {
		return nil
	}
	k.fresh = nil
	return k.c.run("INSERT INTO open(run, owner, turns, last, wake, halted) VALUES(?, ?, ?, ?, ?, '')", f.key, f.owner, f.turns, f.last, fromTime(f.wake))
}

// Commit implements history.Store.
func (s *Store) Commit(ctx context.Context, owner int64, steps []history.Step) ([]history.Written, error) {
	if err := ended(ctx); err != nil {
		return nil, err
	}
	written := make([]history.Written, len(steps))
	ready := make([]*prepared, len(steps)) // before others have to wait for it
	for i := range steps {
		p, ok := steps[i].Prepared.(*prepared)
		if !ok {
			p = new(prepared)
			p.data, p.err = encode(&steps[i])
		}
		ready[i], written[i].Err = p, p.err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k := commit{store: s, owner: owner, own: true}
	err := s.writeLocked("write to", func(c *conn) error {
		k.c = c
		if err := k.begin(); err != nil {
			return err
		}
		for i := range steps {
			if written[i].Err != nil {
				continue
			}
			if err := s.fault("step"); err != nil {
				return err
			}
			var err error
			written[i].Started, written[i].Err, err = k.step(&steps[i], &ready[i].data)
			if err != nil {
				return err
			}
		}
		return k.settle()
	})
	if err != nil {
		return nil, err
	}
	for i := range steps {
		if written[i].Err == nil && closes(&steps[i]) {
			delete(s.known.keys, steps[i].Ref)
		}
	}
	for ref, key := range k.known.keys {
		s.known.run(ref, key)
	}
	for hash := range k.known.sources {
		s.known.source(hash)
	}
	if !k.own || s.locks.several() {
		s.watch.changed()
	}
	return written, nil
}

// begin checks the lease and finds the end of the turns.
func (k *commit) begin() error {
	row, err := k.c.first("SELECT (SELECT max(place) FROM turns) FROM owners WHERE number = ?", k.owner)
	switch {
	case err != nil:
		return err
	case row == nil:
		return refused{fenced(k.owner)}
	}
	k.place = integer(row[0]) + 1
	return nil
}

func fenced(owner int64) error { return fmt.Errorf("history: owner %d: %w", owner, history.ErrFenced) }

func closes(s *history.Step) bool { return s.Turn != nil && s.Turn.Closes() }

// step writes one step. Why it is not written is no; an error is the end of the transaction.
func (k *commit) step(s *history.Step, data *encodedStep) (started []history.Ref, no, err error) {
	parts := len(s.Start) // that can be refused
	if s.Ref != (history.Ref{}) {
		parts++
	}
	fails := false // it is known only while it is written
	for i := range s.Start {
		fails = fails || s.Start[i].Else == nil
	}
	if !fails || parts < 2 {
		return k.parts(s, data)
	}
	if err := errors.Join(k.settle(), k.c.run("SAVEPOINT step")); err != nil {
		return nil, nil, err
	}
	before := k.known
	k.known = known{}
	started, no, err = k.parts(s, data)
	if err != nil {
		return nil, nil, err
	}
	if no != nil {
		k.known, k.fresh = before, nil
		if err := k.c.run("ROLLBACK TO step"); err != nil {
			return nil, nil, err
		}
		return nil, no, k.c.run("RELEASE step")
	}
	for ref, key := range before.keys {
		k.known.run(ref, key)
	}
	for hash := range before.sources {
		k.known.source(hash)
	}
	return started, nil, k.c.run("RELEASE step")
}

func (k *commit) parts(s *history.Step, data *encodedStep) (started []history.Ref, no, err error) {
	var key int64
	var ref history.Ref // with the number
	if s.Ref != (history.Ref{}) {
		key, ref, no, err = k.turn(s, data)
		if no != nil || err != nil {
			return nil, no, err
		}
	}
	open := key != 0 && !closes(s)
	reply := func(data []byte) error {
		if !open || data == nil {
			return nil
		}
		return k.c.run("INSERT INTO mail(id, number, event) VALUES(?, ?, ?)", ref.ID, int64(ref.Number), data)
	}
	for i := range s.Start {
		begun, no, err := k.start(&s.Start[i], k.owner)
		switch {
		case err != nil:
			return nil, nil, err
		case no != nil && s.Start[i].Else == nil:
			return nil, no, nil
		case no != nil:
			begun, err = history.Ref{}, reply(data.otherwise[i])
		}
		if err != nil {
			return nil, nil, err
		}
		started = append(started, begun)
	}
	if len(s.Send) > 0 || (s.Leave || s.Halt != "") && open {
		if err := k.settle(); err != nil {
			return nil, nil, err
		}
	}
	for i := range s.Send {
		no, err := k.send(&s.Send[i], data.send[i].event)
		if err == nil && no == nil {
			err = reply(data.send[i].sent)
		} else if err == nil {
			err = reply(data.send[i].lost)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if (s.Leave || s.Halt != "") && open {
		delete(k.known.keys, ref)
		if err := k.c.run("UPDATE open SET owner = 0, halted = ? WHERE run = ?", s.Halt, key); err != nil {
			return nil, nil, err
		}
	}
	return started, nil, nil
}

// look finds a run.
func (k *commit) look(ref history.Ref) (key int64, full history.Ref, err error) {
	const all = "SELECT key, number FROM runs WHERE id = ?1 "
	var row []driver.Value
	if ref.Number == 0 {
		row, err = k.c.first(all+"ORDER BY number DESC LIMIT 1", ref.ID)
	} else {
		row, err = k.c.first(all+"AND number = ?2", ref.ID, int64(ref.Number))
	}
	if err != nil || row == nil {
		return 0, ref, err
	}
	return integer(row[0]), history.Ref{ID: ref.ID, Number: int(integer(row[1]))}, nil
}
