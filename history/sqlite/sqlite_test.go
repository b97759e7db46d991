package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/history/sqlite"
	"github.com/flowlua/flowlua/history/storetest"
)

func open(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(path, sqlite.Config{Synchronous: "normal"})
	require.NoError(t, err)
	return s
}

func TestConformance(t *testing.T) {
	t.Run("two stores on a file", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) (one, other history.Store) {
			path := filepath.Join(t.TempDir(), "f.db")
			return open(t, path), open(t, path)
		})
	})
	t.Run("one store", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) (one, other history.Store) {
			s := open(t, filepath.Join(t.TempDir(), "f.db"))
			return s, s
		})
	})
}
