package sqlite

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// trouble says what went wrong with the file and what to do. Errors that are not SQLite's stay as they are.
func (s *Store) trouble(doing string, err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	advice := ""
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("history: %s is not a store: it is no SQLite database: name another file (%w)", s.path, e)
	case sqlite3.SQLITE_CORRUPT:
		advice = ": the file is damaged: restore a backup, or save what can be read with sqlite3's .recover"
	case sqlite3.SQLITE_FULL:
		advice = ": the disk is full, nothing of this was written: make room and try again"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		advice = ": no permission to write the file or its folder, expected both to be writable"
	case sqlite3.SQLITE_CANTOPEN:
		advice = ": the file cannot be opened or made, expected it and its folder to be writable"
	case sqlite3.SQLITE_IOERR:
		advice = ": the disk failed, or it is full"
	case sqlite3.SQLITE_BUSY:
		advice = fmt.Sprintf(": somebody has kept the file locked for %v: look for a process that is stopped", patience)
	}
	return fmt.Errorf("history: cannot %s the store %s%s (%w)", doing, s.path, advice, e) // the first of several that say the same
}

// first is SQLite's error in err, of several that say the same the first; err if there is none.
func first(err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e
	}
	return err
}

func isCode(err error, code int) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == code
}
