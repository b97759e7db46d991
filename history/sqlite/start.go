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
	missing, no, err := k.missing(n.Run.Program, &n.Sources)
	if no != nil || err != nil {
		return history.Ref{}, no, err
	}
	key, ref, no, err := k.insert(&n.Run)
	if no != nil || err != nil {
		return history.Ref{}, no, err
	}
	err = k.c.run("INSERT INTO open(run, owner, turns, last, wake, halted) VALUES(?, ?, 0, 0, ?, '')", key, owner, fromTime(n.Wake))
	if err == nil && missing {
		err = k.keep(n.Run.Program, &n.Sources)
	}
	if owner != 0 {
		k.known.run(ref, key)
	}
	return ref, nil, err
}

// insert adds the row of an open run, unless there is one, or its number is not after all of its ID.
func (k *commit) insert(run *history.Run) (key int64, ref history.Ref, no, err error) {
	var p [4]any
	if run.Parent != nil {
		p = [4]any{run.Parent.ID, int64(run.Parent.Number), run.Parent.Op, run.Parent.OnParentClose}
	}
	row, err := k.c.first(`
		INSERT INTO runs(id, number, format, workflow, program, created, parent_id, parent_number, parent_op, on_parent_close, input, status, turns, last)
		SELECT ?1, iif(?2 = 0, n + 1, ?2), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 0, 0, 0
		FROM (SELECT coalesce(max(number), 0) AS n FROM runs WHERE id = ?1)
		WHERE (?2 = 0 OR ?2 > n) AND NOT EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND status = 0)
		RETURNING key, number`,
		run.ID, int64(run.Number), int64(history.Format), run.Workflow, run.Program, fromTime(run.Created), p[0], p[1], p[2], p[3], orNull(run.Input))
	if err != nil {
		return 0, ref, nil, err
	}
	if row == nil {
		last, err := k.c.number("SELECT max(number) FROM runs WHERE id = ?", run.ID)
		return 0, ref, fmt.Errorf("history: run %q number %d %w", run.ID, last, history.ErrExists), err
	}
	return integer(row[0]), history.Ref{ID: run.ID, Number: int(integer(row[1]))}, nil, nil
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
		return errors.Join(err, refuse(no))
	})
}

func refuse(no error) error {
	if no == nil {
		return nil
	}
	return refused{no}
}
