package sqlite_test

import (
	"context"
	"database/sql/driver"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	moderncsqlite "modernc.org/sqlite"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/history/sqlite"
)

// execSQL does something to a file behind the store's back.
func execSQL(t testing.TB, path, text string) {
	t.Helper()
	raw, err := new(moderncsqlite.Driver).Open(path)
	require.NoError(t, err)
	defer raw.Close()
	_, err = raw.(driver.ExecerContext).ExecContext(context.Background(), text, nil)
	require.NoError(t, err)
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?c#d%20.db")
	s := open(t, path)
	require.Equal(t, path, s.Path())
	require.NoError(t, s.Create(context.Background(), history.NewRun{Run: history.Run{Ref: history.Ref{ID: "r"}, Program: benchScript.Hash()}, Sources: benchScript}))
	sound(t, s)
	require.NoError(t, s.Close())
	require.NoError(t, s.Close(), "twice")
	require.FileExists(t, path)

	_, err := s.Run(context.Background(), history.Ref{ID: "r"})
	require.ErrorContains(t, err, "is closed: open it again")
	_, err = s.Commit(context.Background(), 1, nil)
	require.ErrorContains(t, err, "is closed: open it again")
	s.Watch(func() {})()

	s = open(t, path)
	_, err = s.Run(context.Background(), history.Ref{ID: "r"})
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

func TestOpenRefuses(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	require.NoError(t, os.WriteFile(path("text"), []byte(strings.Repeat("this is no database\n", 100)), 0o600))
	execSQL(t, path("shop.db"), "CREATE TABLE products(name)")
	execSQL(t, path("versioned.db"), "PRAGMA user_version = 1")
	execSQL(t, path("marked.db"), "PRAGMA application_id = 7")
	require.NoError(t, open(t, path("newer.db")).Close())
	execSQL(t, path("newer.db"), "PRAGMA user_version = 99")
	require.NoError(t, open(t, path("damaged.db")).Close())
	data, err := os.ReadFile(path("damaged.db"))
	require.NoError(t, err)
	for i := 100; i < 4096; i++ {
		data[i] = 0xaa
	}
	require.NoError(t, os.WriteFile(path("damaged.db"), data, 0o600))

	for _, c := range []struct{ path, want string }{
		{"", "not the path of a file: for a store that forgets use history.Memory"},
		{":memory:", "not the path of a file: for a store that forgets use history.Memory"},
		{"file:x.db", "not the path of a file"},
		{folder, "is a folder, expected a file: name a file in it"},
		{path("none/f.db"), "there is no folder " + path("none") + ": make it first"},
		{path("text/f.db"), "not a directory"},
		{"/dev/null", "is not a regular file"},
		{path("text"), "is not a store: it is no SQLite database: name another file"},
		{path("shop.db"), "is a database of something else (application_id 0x0, user_version 0, 1 tables and indexes), expected one of flowlua (0x464c7561): name another file"},
		{path("versioned.db"), "is a database of something else"},
		{path("marked.db"), "is a database of something else"},
		{path("newer.db"), "has version 99, written by a newer release; this one knows versions up to 1: use the newer release"},
		{path("damaged.db"), "the file is damaged: restore a backup"},
	} {
		s, err := sqlite.Open(c.path, sqlite.Config{})
		require.ErrorContains(t, err, c.want, "%s", c.path)
		require.Nil(t, s)
	}
	_, err = sqlite.Open(path("f.db"), sqlite.Config{Synchronous: "off"})
	require.ErrorContains(t, err, `Synchronous is "off": it can be "full" or "normal"`)
	require.NoFileExists(t, path("f.db"))
}

// Many processes make the file at the same time.
func TestOpenTogether(t *testing.T) {
	for range 5 {
		path := filepath.Join(t.TempDir(), "f.db")
		errs := make(chan error)
		const n = 6
		for range n {
			go func() {
				s, err := sqlite.Open(path, sqlite.Config{})
				if err == nil {
					_, err = s.Join(context.Background(), history.Owner{Name: "e"})
				}
				if err == nil {
					err = s.Close()
				}
				errs <- err
			}()
		}
		for range n {
			require.NoError(t, <-errs)
		}
		s := open(t, path)
		sound(t, s)
		require.NoError(t, s.Close())
	}
}
