package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/flowlua/flowlua/history"
)

// Delete implements history.Store. Sources stay: other runs may be on them.
func (s *Store) Delete(ctx context.Context, ref history.Ref) error {
	return s.alone(ctx, "delete from", func(k *commit) error {
		key, run, err := find(k.c, ref)
		switch {
		case isNotFound(err):
			return refused{err}
		case err != nil:
			return err
		case run.Status == history.Open:
			return refused{fmt.Errorf("history: run %q %w", run.ID, history.ErrOpen)}
		}
		_, last, err := place(k.c, run.Ref)
		if err != nil {
			return err
		}
		for last != 0 {
			var row []driver.Value
			if row, err = k.c.first("DELETE FROM turns WHERE place = ? AND run = ? RETURNING before", last, key); err != nil {
				return err
			}
			last = 0
			if row != nil {
				last = integer(row[0])
			}
		}
		if err := k.c.run("DELETE FROM runs WHERE key = ?", key); err != nil {
			return err
		}
		return k.c.run("DELETE FROM mail WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND number > ?2)", run.ID, int64(run.Number))
	})
}
