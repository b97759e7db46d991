package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/flowlua/flowlua/history"
)

var errStop = errors.New("the loop is left")

// Turns implements history.Store. It shows the turns there were when the loop began.
func (s *Store) Turns(ctx context.Context, ref history.Ref, after int64) iter.Seq2[history.Turn, error] {
	return func(yield func(history.Turn, error) bool) {
		err := s.read(func(c *conn) error {
			return turns(ctx, c, ref, after, func(t history.Turn) error {
				if !yield(t, nil) {
					return errStop
				}
				return nil
			})
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(history.Turn{}, err)
		}
	}
}

func turns(ctx context.Context, c *conn, ref history.Ref, after int64, yield func(history.Turn) error) error {
	key, last, err := place(c, ref)
	if err != nil {
		return err
	}
	var places []int64 // from the last to the first
	err = c.query(`
		WITH RECURSIVE chain(place, seq, before) AS (
			SELECT place, seq, before FROM turns WHERE place = ?1 AND seq > ?2
			UNION ALL
			SELECT t.place, t.seq, t.before FROM chain c JOIN turns t ON t.place = c.before WHERE t.seq > ?2)
		SELECT place FROM chain`, []any{last, after}, func(row []driver.Value) (bool, error) {
		places = append(places, integer(row[0]))
		return true, nil
	})
	if err != nil {
		return err
	}
	for _, at := range slices.Backward(places) {
		if err := ended(ctx); err != nil {
			return err
		}
		row, err := c.first("SELECT data, run FROM turns WHERE place = ?", at)
		if err != nil {
			return err
		}
		t, err := history.DecodeTurn(raw(row[0]))
		if err == nil && integer(row[1]) != key {
			err = fmt.Errorf("history: its turn %d is of another run: the file is damaged", t.Seq)
		}
		if err != nil {
			return fmt.Errorf("%w (of run %q number %d)", err, ref.ID, ref.Number)
		}
		if err := yield(t); err != nil {
			return err
		}
	}
	return nil
}

// place gives the key of a run and where its last turn is.
func place(c *conn, ref history.Ref) (key, last int64, err error) {
	const all = "SELECT r.key, coalesce(o.last, r.last) FROM runs r LEFT JOIN open o ON o.run = r.key WHERE r.id = ?1 "
	var row []driver.Value
	if ref.Number == 0 {
		row, err = c.first(all+"ORDER BY r.number DESC LIMIT 1", ref.ID)
	} else {
		row, err = c.first(all+"AND r.number = ?2", ref.ID, int64(ref.Number))
	}
	switch {
	case err != nil:
		return 0, 0, err
	case row == nil:
		return 0, 0, notFound(ref)
	}
	return integer(row[0]), integer(row[1]), nil
}
