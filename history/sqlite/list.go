package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"iter"
	"strings"

	"github.com/flowlua/flowlua/history"
)

// Runs implements history.Store. It shows the runs there were when the loop began.
func (s *Store) Runs(ctx context.Context, filter history.Filter) iter.Seq2[history.Run, error] {
	return func(yield func(history.Run, error) bool) {
		text, args := list(filter)
		err := s.read(func(c *conn) error {
			return c.query(text, args, func(row []driver.Value) (bool, error) {
				if err := ended(ctx); err != nil {
					return false, err
				}
				run, err := toRun(row)
				if err == nil && !yield(run, nil) {
					err = errStop
				}
				return true, err
			})
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(history.Run{}, err)
		}
	}
}

// list makes the query of a filter.
func list(f history.Filter) (text string, args []any) {
	from, where := "runs r LEFT JOIN open o ON o.run = r.key", []string(nil)
	and := func(condition string, arg any) {
		where = append(where, condition)
		args = append(args, arg)
	}
	switch f.Status {
	case "":
	case history.Open: // which have an index
		where = append(where, "r.status = 0")
	default:
		and("r.status = ?", statusNumber(f.Status))
	}
	if f.Halted {
		where = append(where, "o.halted != ''")
	}
	if f.Workflow != "" {
		and("r.workflow = ?", f.Workflow)
	}
	if f.Parent != "" {
		and("r.parent_id = ?", f.Parent)
	}
	if f.Prefix != "" {
		and("r.id >= ?", f.Prefix)
		if end := following(f.Prefix); end != "" {
			and("r.id < ?", end)
		}
	}
	if !f.Since.IsZero() {
		and("r.created >= ?", fromTime(f.Since))
	}
	text = "SELECT " + columns + " FROM " + from
	if len(where) > 0 {
		text += " WHERE " + strings.Join(where, " AND ")
	}
	text += " ORDER BY r.created DESC, r.key DESC"
	if f.Limit > 0 {
		text += " LIMIT ?"
		args = append(args, int64(f.Limit))
	}
	return text, args
}

// following is the first text after all with a prefix; "" if there is none.
func following(prefix string) string {
	b := []byte(prefix)
	for len(b) > 0 && b[len(b)-1] == 0xff {
		b = b[:len(b)-1]
	}
	if len(b) == 0 {
		return ""
	}
	b[len(b)-1]++
	return string(b)
}
