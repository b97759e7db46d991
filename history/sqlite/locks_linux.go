package sqlite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// locks tell whether the process of an owner lives. While it does, the owner holds a lock on one byte of a file beside the
// database: that of its number. The kernel lets go of it when the process ends, however it ends; one that is only stopped
// keeps it. The locks belong to the open file, so that two stores in one process are told apart.
type locks struct {
	path string
	mu   sync.Mutex
	file *os.File
	held map[int64]bool
}

// hold takes the lock of an owner of this store.
func (l *locks) hold(owner int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held == nil {
		l.held = map[int64]bool{}
	}
	l.held[owner] = true
	if err := l.open(os.O_CREATE); err != nil {
		return err
	}
	if err := l.set(owner, unix.F_WRLCK); err != nil {
		return fmt.Errorf("history: owner %d cannot lock its byte of %s: %w", owner, l.path, err)
	}
	return nil
}

func (l *locks) release(owner int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[owner] {
		delete(l.held, owner)
		if l.file != nil {
			l.set(owner, unix.F_UNLCK)
		}
	}
}

// gone reports whether an owner is known to be dead.
func (l *locks) gone(owner int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[owner] {
		return false
	}
	if err := l.open(0); err != nil {
		return errors.Is(err, os.ErrNotExist) // the owners that are written of are of another place
	}
	lock := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: owner, Len: 1}
	return unix.FcntlFlock(l.file.Fd(), unix.F_OFD_GETLK, &lock) == nil && lock.Type == unix.F_UNLCK
}

// several reports whether the store has more than one owner.
func (l *locks) several() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.held) > 1
}

func (l *locks) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = nil
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
}

func (l *locks) open(create int) error {
	if l.file != nil {
		return nil
	}
	mode := os.FileMode(0o600)
	if info, err := os.Stat(strings.TrimSuffix(l.path, "-owners")); err == nil {
		mode = info.Mode().Perm() // who may use the database
	}
	f, err := os.OpenFile(l.path, os.O_RDWR|create, mode)
	if err != nil {
		return fmt.Errorf("history: the file that shows which owners live: %w", err)
	}
	l.file = f
	return nil
}

func (l *locks) set(owner int64, kind int16) error {
	return unix.FcntlFlock(l.file.Fd(), unix.F_OFD_SETLK, &unix.Flock_t{Type: kind, Whence: io.SeekStart, Start: owner, Len: 1})
}
