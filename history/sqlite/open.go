package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// patience is how long a transaction waits for those of others, which take milliseconds; one takes longer only if its process
// is stopped in the middle of it.
const patience = 10 * time.Minute

// Open opens the store in a file, which is made if there is none. A file of an earlier release is brought up to date.
//
// On systems that have it, commits of SQLite in this process use fdatasync from then on, as SQLite does elsewhere.
func Open(path string, config Config) (*Store, error) {
	switch config.Synchronous {
	case "":
		config.Synchronous = "full"
	case "full", "normal":
	default:
		return nil, fmt.Errorf(`history: Synchronous is %q: it can be "full" or "normal"`, config.Synchronous)
	}
	if path == "" || path == ":memory:" || strings.HasPrefix(path, "file:") {
		return nil, fmt.Errorf("history: %q is not the path of a file: for a store that forgets use history.Memory", path)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("history: cannot open the store: %w", err)
	}
	if err := usable(path); err != nil {
		return nil, err
	}
	sqlite.Fdatasync(true)
	s := &Store{path: path, config: config}
	s.pool.store, s.watch.store, s.locks.path = s, s, path+"-owners"
	if s.writer, err = s.connect("rwc"); err != nil {
		return nil, s.trouble("open", err)
	}
	if err := s.migrate(); err != nil {
		s.writer.close()
		return nil, err
	}
	s.location.remember(path)
	s.wrote = false
	return s, nil
}

// usable finds what SQLite says badly. It does not open the file: closing it again would let go of the locks that SQLite has on
// it in this process.
func usable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("history: the store %s is a folder, expected a file: name a file in it", path)
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("history: the store %s is not a regular file: name another", path)
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("history: cannot open the store: %w", err)
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); err != nil {
		return fmt.Errorf("history: cannot make the store %s: there is no folder %s: make it first (%w)", path, folder, err)
	} else if !info.IsDir() {
		return fmt.Errorf("history: cannot make the store %s: %s is not a folder", path, folder)
	}
	return nil
}

// connect opens a connection that writes.
func (s *Store) connect(mode string) (*conn, error) {
	c, err := dial(s.path, mode)
	if err != nil {
		return nil, err
	}
	err = c.script(fmt.Sprintf(`
		PRAGMA busy_timeout = %d;
		PRAGMA synchronous = %s;
		PRAGMA cache_size = -16000;
		PRAGMA wal_autocheckpoint = 4000;
		PRAGMA journal_size_limit = 67108864`, patience.Milliseconds(), s.config.Synchronous))
	if err == nil {
		_, err = c.number("SELECT count(*) FROM sqlite_schema") // reads the file
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// migrate brings the file up to date.
func (s *Store) migrate() error {
	if _, err := s.atOnce(s.writer); err != nil {
		return err
	}
	// More than one process may be here. WAL is a property of the file, and changing to it does not wait for others.
	for deadline := time.Now().Add(patience); ; {
		mode, err := s.writer.first("PRAGMA journal_mode = WAL")
		if err == nil && text(mode[0]) != "wal" {
			return fmt.Errorf("history: the store %s cannot have a write-ahead log, its journal_mode stays %q: use a local file system", s.path, text(mode[0]))
		}
		if err == nil {
			break
		}
		if !isCode(err, sqlite3.SQLITE_BUSY) || time.Now().After(deadline) {
			return s.trouble("open", err)
		}
		time.Sleep(time.Millisecond)
	}
	if done, err := s.atOnce(s.writer); done || err != nil {
		return err
	}
	return s.write("bring up to date", func(c *conn) error {
		if done, err := s.current(c); done || err != nil {
			return err
		}
		version, err := c.number("PRAGMA user_version")
		if err != nil {
			return err
		}
		for _, text := range migrations[version:] {
			if err := c.script(text); err != nil {
				return err
			}
		}
		return c.script(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", application, len(migrations)))
	})
}

// atOnce is current in a transaction of its own: another process may be making the schema between two looks.
func (s *Store) atOnce(c *conn) (bool, error) {
	if err := c.script("BEGIN"); err != nil {
		return false, s.trouble("open", err)
	}
	done, err := s.current(c)
	if end := c.script("COMMIT"); err == nil && end != nil {
		return false, s.trouble("open", end)
	}
	return done, err
}

// current reports whether the file has the schema of this release. It is an error if the file is not ours to change.
func (s *Store) current(c *conn) (bool, error) {
	var of, version, tables int64
	for text, n := range map[string]*int64{"PRAGMA application_id": &of, "PRAGMA user_version": &version, "SELECT count(*) FROM sqlite_schema": &tables} {
		var err error
		if *n, err = c.number(text); err != nil {
			return false, s.trouble("open", err)
		}
	}
	switch {
	case of == application && version > int64(len(migrations)):
		return false, fmt.Errorf("history: the store %s has version %d, written by a newer release; this one knows versions up to %d: use the newer release", s.path, version, len(migrations))
	case of == application && version > 0:
		return version == int64(len(migrations)), nil
	case of == 0 && version == 0 && tables == 0:
		return false, nil
	}
	return false, fmt.Errorf("history: %s is a database of something else (application_id %#x, user_version %d, %d tables and indexes), expected one of flowlua (%#x): name another file",
		s.path, of, version, tables, application)
}
