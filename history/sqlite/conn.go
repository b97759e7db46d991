package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net/url"
	"path/filepath"

	"modernc.org/sqlite"
)

// conn is a connection with its prepared statements. It is the driver's own: database/sql would pool, lock and convert for
// nothing. One goroutine uses it at a time, and a statement has ended before it is used again.
type conn struct {
	raw interface {
		driver.Conn
		driver.ExecerContext
		driver.ConnPrepareContext
	}
	stmts map[string]*stmt
}

type stmt struct {
	raw interface {
		driver.StmtExecContext
		driver.StmtQueryContext
	}
	close func() error
	args  []driver.NamedValue
}

// dial opens the file. Mode is SQLite's: rw, or rwc to create it.
func dial(path, mode string) (*conn, error) {
	name := (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}).String() + "?mode=" + mode
	raw, err := new(sqlite.Driver).Open(name)
	if err != nil {
		return nil, err
	}
	c := &conn{stmts: map[string]*stmt{}}
	c.raw = raw.(interface {
		driver.Conn
		driver.ExecerContext
		driver.ConnPrepareContext
	})
	return c, nil
}

func (c *conn) close() error {
	if c == nil {
		return nil
	}
	for _, s := range c.stmts {
		s.close()
	}
	return c.raw.Close()
}

// script runs statements that are needed once.
func (c *conn) script(text string) error {
	_, err := c.raw.ExecContext(context.Background(), text, nil)
	return err
}

func (c *conn) prepare(text string, args []any) (*stmt, error) {
	s, ok := c.stmts[text]
	if !ok {
		raw, err := c.raw.PrepareContext(context.Background(), text)
		if err != nil {
			return nil, err
		}
		s = &stmt{close: raw.Close, args: make([]driver.NamedValue, len(args))}
		s.raw = raw.(interface {
			driver.StmtExecContext
			driver.StmtQueryContext
		})
		c.stmts[text] = s
	}
	for i, a := range args {
		s.args[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	return s, nil
}

// exec runs a statement and says how many rows it has changed and what the last new row's number is.
func (c *conn) exec(text string, args ...any) (changed, last int64, err error) {
	s, err := c.prepare(text, args)
	if err != nil {
		return 0, 0, err
	}
	result, err := s.raw.ExecContext(context.Background(), s.args)
	if err != nil {
		return 0, 0, err
	}
	changed, _ = result.RowsAffected()
	last, _ = result.LastInsertId()
	return changed, last, nil
}

// run is exec for those who need no answer.
func (c *conn) run(text string, args ...any) error {
	_, _, err := c.exec(text, args...)
	return err
}

// query runs a statement and shows each row, until one is refused.
func (c *conn) query(text string, args []any, row func(row []driver.Value) (more bool, err error)) error {
	s, err := c.prepare(text, args)
	if err != nil {
		return err
	}
	rows, err := s.raw.QueryContext(context.Background(), s.args)
	if err != nil {
		return err
	}
	values := make([]driver.Value, len(rows.Columns()))
	for {
		if err = rows.Next(values); err != nil {
			break
		}
		var more bool
		if more, err = row(values); err != nil || !more {
			break
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, rows.Close())
}

// first gives the first row of a query, nil if there is none.
func (c *conn) first(text string, args ...any) (first []driver.Value, err error) {
	err = c.query(text, args, func(row []driver.Value) (bool, error) {
		first = row
		return false, nil
	})
	return first, err
}

// number gives the first value of the first row, a number.
func (c *conn) number(text string, args ...any) (int64, error) {
	row, err := c.first(text, args...)
	if err != nil || len(row) == 0 {
		return 0, err
	}
	n, _ := row[0].(int64)
	return n, nil
}
