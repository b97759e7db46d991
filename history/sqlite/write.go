package sqlite

import "errors"

// refused ends a transaction in which nothing was wrong with the store.
type refused struct{ error }

func (r refused) Unwrap() error { return r.error }

// write runs a transaction that may write. All of it is there, on the disk, or nothing. An error of COMMIT can mean either; the
// next to look finds out.
func (s *Store) write(doing string, change func(c *conn) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writeLocked(doing, change)
}

func (s *Store) writeLocked(doing string, change func(c *conn) error) (err error) {
	if s.closed {
		return s.errClosed()
	}
	if err := s.inPlace(); err != nil {
		return err
	}
	if s.writer == nil {
		if s.writer, err = s.connect("rw"); err != nil {
			return s.trouble(doing, err)
		}
		s.location.remember(s.path)
	}
	c := s.writer
	defer func() {
		if err == nil {
			return
		}
		var no refused
		if errors.As(err, &no) && c.run("ROLLBACK") == nil {
			err = no.error
			return
		}
		// Nobody knows what the connection is good for. Without it, whatever was begun is undone.
		c.close()
		s.writer = nil
		s.location.closed(s.path)
		err = s.trouble(doing, err)
	}()
	for _, part := range []struct {
		point string
		do    func() error
	}{
		{"begin", func() error { return c.run("BEGIN IMMEDIATE") }},
		{"change", func() error { return change(c) }},
		{"commit", func() error { return c.run("COMMIT") }},
		{"committed", func() error { return nil }},
	} {
		if err := s.fault(part.point); err != nil {
			return err
		}
		if err := part.do(); err != nil {
			return err
		}
	}
	s.wrote = true
	return nil
}

// fault lets a test break the transaction.
func (s *Store) fault(point string) error {
	if s.config.fault == nil {
		return nil
	}
	return s.config.fault(point)
}
