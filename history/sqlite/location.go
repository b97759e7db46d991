package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/flowlua/flowlua/history"
)

// location is where the store is: its path names the files that it has open, unless somebody has deleted or replaced them. Then what
// is written would be nobody's, so nothing is any more.
type location struct {
	mu      sync.Mutex
	files   map[string]fs.FileInfo // as they were when the store opened them, by path
	missing error                  // not nil: they are not there any more
}

// remember notes the files that are open now.
func (l *location) remember(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.files = map[string]fs.FileInfo{}
	for _, path := range []string{path, path + "-wal"} {
		if info, err := os.Stat(path); err == nil {
			l.files[path] = info
		}
	}
}

// closed is told that the writer's connection was closed: if it was the last one, that has deleted the log.
func (l *location) closed(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.files, path+"-wal")
}

// lost is what check has found before.
func (l *location) lost() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.missing
}

// check reports whether they are still what the path names. An error is history.ErrMoved, for good.
func (l *location) check() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.missing != nil {
		return l.missing
	}
	for path, was := range l.files {
		is, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			l.missing = fmt.Errorf("history: the store's file %s was deleted or renamed while it was in use: %w", path, history.ErrMoved)
		case err == nil && !os.SameFile(was, is):
			l.missing = fmt.Errorf("history: the store's file %s was replaced by another one while it was in use: %w", path, history.ErrMoved)
		}
	}
	return l.missing
}

// inPlace is check for the writer, which saves what the store has in another file before anything is lost. The store is locked.
func (s *Store) inPlace() error {
	err := s.location.check()
	if err == nil || s.saved != nil {
		return errors.Join(err, s.saved)
	}
	switch file, lost := s.save(); {
	case lost != nil:
		s.saved = fmt.Errorf("history: it cannot be saved: %w", lost)
	default:
		s.saved = fmt.Errorf("history: nothing more is written; all that was stored is saved in %s: move that file to %s when no process uses the store, or go on with it as it is", file, s.path)
	}
	return errors.Join(err, s.saved)
}

// save copies all that was committed to a new file beside the old one, or where temporary files are.
func (s *Store) save() (file string, failed error) {
	c := s.writer
	if c == nil {
		return "", errors.New("the connection to it is broken")
	}
	for _, folder := range []string{filepath.Dir(s.path), os.TempDir()} {
		f, err := os.CreateTemp(folder, filepath.Base(s.path)+"-saved-*")
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		f.Close()
		if err := c.run("VACUUM INTO ?", f.Name()); err != nil {
			failed = errors.Join(failed, err, os.Remove(f.Name()))
			continue
		}
		return f.Name(), nil
	}
	return "", failed
}
