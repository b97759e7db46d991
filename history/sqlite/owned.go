package sqlite

import (
	"context"
	"database/sql/driver"

	"github.com/flowlua/flowlua/history"
)

// Owned implements history.Store.
func (s *Store) Owned(ctx context.Context, owner int64) (owned []history.Ref, err error) {
	text, args := "SELECT r.id, r.number FROM open o JOIN runs r ON r.key = o.run WHERE o.owner = ? ORDER BY o.run", []any{owner}
	if owner == 0 { // there is an index of these
		text, args = "SELECT r.id, r.number FROM open o JOIN runs r ON r.key = o.run WHERE o.owner = 0 AND o.halted = '' ORDER BY o.run", nil
	}
	err = s.read(func(c *conn) error {
		return c.query(text, args, func(row []driver.Value) (bool, error) {
			owned = append(owned, history.Ref{ID: row[0].(string), Number: int(row[1].(int64))})
			return true, ended(ctx)
		})
	})
	return owned, err
}
