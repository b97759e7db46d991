package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/flowlua/flowlua/history"
)

func isNotFound(err error) bool { return errors.Is(err, history.ErrNotFound) }

// start adds a run.
func (k *commit) start(n *history.NewRun, owner int64) (ref history.Ref, no, err error) {
	if err := k.settle(); err != nil {
		return history.Ref{}, nil, err
	}
	missing, no, err := k.missing(n.Run.Program, &n.Sources)
	if no != nil || err != nil {
		return history.Ref{}, no, err
	}
	key, ref, no, err := k.insert(&n.Run)
	if no != nil || err != nil {
		return history.Ref{}, no, err
	}
	k.fresh = &fresh{ref: ref, key: key, owner: owner, wake: n.Wake}
	if missing {
		err = k.keep(n.Run.Program, &n.Sources)
	}
	if owner != 0 {
		k.known.run(ref, key)
	}
	return ref, nil, err
}

// insert adds the row of an open run, unless there is one, or its number is not after all of its ID. Only the last of an ID can be open.
func (k *commit) insert(run *history.Run) (key int64, ref history.Ref, no, err error) {
	last, err := k.c.first("SELECT number, status FROM runs WHERE id = ? ORDER BY number DESC LIMIT 1", run.ID)
	if err != nil {
		return 0, ref, nil, err
	}
	number := int64(run.Number)
	if last == nil {
		number = max(number, 1)
	} else {
		greatest := integer(last[0])
		if number == 0 {
			number = greatest + 1
		}
		if integer(last[1]) == 0 || number <= greatest {
			return 0, ref, fmt.Errorf("history: run %q number %d %w", run.ID, greatest, history.ErrExists), nil
		}
	}
	var p [4]any
	if run.Parent != nil {
		p = [4]any{run.Parent.ID, int64(run.Parent.Number), run.Parent.Op, run.Parent.OnParentClose}
	}
	_, key, err = k.c.exec(`
		INSERT INTO runs(id, number, format, workflow, program, created, parent_id, parent_number, parent_op, on_parent_close, input, status, turns, last)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0)`,
		run.ID, number, int64(history.Format), run.Workflow, run.Program, fromTime(run.Created), p[0], p[1], p[2], p[3], orNull(run.Input))
	return key, history.Ref{ID: run.ID, Number: int(number)}, nil, err
}

// alone runs a transaction that is nobody's, and tells the watchers.
func (s *Store) alone(ctx context.Context, doing string, change func(k *commit) error) error {
	if err := ended(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.writeLocked(doing, func(c *conn) error {
		k := commit{store: s, c: c}
		return change(&k)
	})
	if err == nil {
		s.watch.changed()
	}
	return err
}

// Create implements history.Store.
func (s *Store) Create(ctx context.Context, run history.NewRun) error {
	return s.alone(ctx, "write to", func(k *commit) error {
		_, no, err := k.start(&run, 0)
		return errors.Join(err, refuse(no), k.settle())
	})
}

func refuse(no error) error {
	if no == nil {
		return nil
	}
	return refused{no}
}
