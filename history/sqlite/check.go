package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"reflect"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/flowlua/flowlua/history"
)

// Check looks for damage: whatever is not as the store writes it. It gives each finding as a sentence, none if all is well, and
// an error if it cannot go on. What cannot be read for damage is a finding, too. It reads everything, so it takes a while; others can write meanwhile.
func (s *Store) Check(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := s.read(func(c *conn) error {
			k := check{ctx: ctx, c: c, yield: yield}
			for _, part := range []func() error{k.file, k.runs, k.sources, k.leftovers} {
				err := part()
				if isCode(err, sqlite3.SQLITE_CORRUPT) { // what is in the other parts may be readable
					err = k.found("the file is damaged, and not all of it can be read: %v", first(err))
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield("", err)
		}
	}
}

type check struct {
	ctx   context.Context
	c     *conn
	yield func(string, error) bool
}

func (k *check) found(format string, args ...any) error {
	if !k.yield(fmt.Sprintf(format, args...), nil) {
		return errStop
	}
	return nil
}

// each looks at all rows of a query.
func (k *check) each(query string, look func(row []driver.Value) error) error {
	return k.c.query(query, nil, func(row []driver.Value) (bool, error) {
		if err := ended(k.ctx); err != nil {
			return false, err
		}
		return true, look(row)
	})
}

// file looks at the pages of the file.
func (k *check) file() error {
	return k.each("PRAGMA integrity_check", func(row []driver.Value) error {
		if is := text(row[0]); is != "ok" {
			return k.found("the file is damaged: %s", is)
		}
		return nil
	})
}

// runs looks whether the turns of each run are there and make it what its row says.
func (k *check) runs() error {
	return k.each("SELECT "+columns+", r.key, r.status = 0, o.run IS NOT NULL FROM runs r LEFT JOIN open o ON o.run = r.key ORDER BY r.key", func(row []driver.Value) error {
		run, err := toRun(row)
		if err != nil {
			return k.found("run %d: %v", integer(row[len(row)-3]), err)
		}
		is := fmt.Sprintf("run %q number %d", run.ID, run.Number)
		if row[len(row)-2] != row[len(row)-1] {
			return k.found("%s is %s, but its row of the open runs says otherwise", is, run.Status)
		}
		made := history.Run{Status: history.Open}
		stop := error(nil)
		err = turns(k.ctx, k.c, run.Ref, 0, func(t history.Turn) error {
			if t.Seq != made.Turns+1 {
				stop = k.found("%s: turn %d follows turn %d", is, t.Seq, made.Turns)
			}
			made.Apply(t)
			return stop
		})
		switch {
		case errors.Is(err, errStop), k.ctx.Err() != nil:
			return err
		case err != nil:
			return k.found("%s: %v", is, first(err))
		case made.Turns != run.Turns:
			return k.found("%s has made %d turns, of which %d are there", is, run.Turns, made.Turns)
		}
		closed := run.Closed
		if !made.Closed.IsZero() {
			made.Closed = toTime(fromTime(made.Closed))
		}
		for _, field := range []struct {
			name      string
			row, made any
		}{
			{"Status", run.Status, made.Status}, {"Closed", closed, made.Closed}, {"State", orNull(run.State), orNull(made.State)},
			{"Result", orNull(run.Result), orNull(made.Result)}, {"Failure", run.Failure, made.Failure},
		} {
			if !reflect.DeepEqual(field.row, field.made) {
				return k.found("%s: its %s is %v, expected %v from its turns", is, field.name, field.row, field.made)
			}
		}
		return nil
	})
}

// sources looks whether they are what they are stored as.
func (k *check) sources() error {
	return k.each("SELECT hash, data FROM sources", func(row []driver.Value) error {
		hash := text(row[0])
		sources, err := unpack(hash, raw(row[1]))
		if err == nil {
			err = sources.Verify(hash)
		}
		if err != nil {
			return k.found("sources %.12s: %v", hash, err)
		}
		return nil
	})
}

// leftovers looks for rows that belong to nothing.
func (k *check) leftovers() error {
	for _, kind := range []struct{ query, format string }{
		{"SELECT id, number, program FROM runs WHERE program NOT IN (SELECT hash FROM sources)", "run %q number %d runs on program %.12s, which is not stored"},
		{"SELECT run, count(*) FROM turns WHERE run NOT IN (SELECT key FROM runs) GROUP BY run", "there is no run %d, but %d turns of it"},
		{"SELECT run FROM open WHERE run NOT IN (SELECT key FROM runs)", "there is no run %d, but a row of it among the open ones"},
		{"SELECT run, op FROM attempts WHERE run NOT IN (SELECT run FROM open)", "run %d is not open, but there are attempts of its operation %s"},
		{`SELECT m.seq, m.id FROM mail m WHERE NOT EXISTS (
			SELECT 1 FROM runs r WHERE r.id = m.id AND (r.status = 0 OR r.status = 4) AND (m.number = 0 OR r.status = 0 AND m.number = r.number))`, "mail %d is for run %q, which is not open"},
	} {
		err := k.each(kind.query, func(row []driver.Value) error {
			args := make([]any, len(row))
			for i, v := range row {
				args[i] = v
			}
			return k.found(kind.format, args...)
		})
		if err != nil {
			return err
		}
	}
	var runs, there int64
	var err error
	if runs, err = k.c.number("SELECT sum(coalesce(o.turns, r.turns)) FROM runs r LEFT JOIN open o ON o.run = r.key"); err != nil {
		return err
	}
	if there, err = k.c.number("SELECT count(*) FROM turns"); err != nil {
		return err
	}
	if there > runs {
		return k.found("there are %d turns, but the runs have made %d", there, runs)
	}
	return nil
}
