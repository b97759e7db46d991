package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/flowlua/flowlua/history"
)

// Run implements history.Store.
func (s *Store) Run(ctx context.Context, ref history.Ref) (run history.Run, err error) {
	if err := ended(ctx); err != nil {
		return run, err
	}
	err = s.read(func(c *conn) error {
		_, run, err = find(c, ref)
		return err
	})
	return run, err
}

// find gives a run and its key.
func find(c *conn, ref history.Ref) (key int64, run history.Run, err error) {
	const all = "SELECT " + columns + ", r.key FROM runs r LEFT JOIN open o ON o.run = r.key WHERE r.id = ?1 "
	var row []driver.Value
	if ref.Number == 0 {
		row, err = c.first(all+"ORDER BY r.number DESC LIMIT 1", ref.ID)
	} else {
		row, err = c.first(all+"AND r.number = ?2", ref.ID, int64(ref.Number))
	}
	if err == nil && row == nil {
		err = notFound(ref)
	}
	if err != nil {
		return 0, run, err
	}
	run, err = toRun(row)
	return integer(row[len(row)-1]), run, err
}

func notFound(ref history.Ref) error {
	return fmt.Errorf("history: run %q number %d %w", ref.ID, ref.Number, history.ErrNotFound)
}

// Attempts implements history.Store.
func (s *Store) Attempts(ctx context.Context, ref history.Ref) (all []history.Attempt, err error) {
	if err := ended(ctx); err != nil {
		return nil, err
	}
	err = s.read(func(c *conn) error {
		key, _, err := place(c, ref)
		if err != nil {
			return err
		}
		return c.query("SELECT data FROM attempts WHERE run = ? ORDER BY op", []any{key}, func(row []driver.Value) (bool, error) {
			a, err := history.DecodeAttempt(raw(row[0]))
			all = append(all, a)
			return true, err
		})
	})
	return all, err
}
