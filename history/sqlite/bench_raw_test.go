package sqlite_test

import (
	"context"
	"database/sql/driver"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	moderncsqlite "modernc.org/sqlite"
)

// rawCommit makes a transaction of the driver that puts so many BLOBs of so many bytes each into a table.
func rawCommit(b *testing.B, size, bytes int) func() {
	raw, err := new(moderncsqlite.Driver).Open("file:" + filepath.Join(b.TempDir(), "raw.db"))
	require.NoError(b, err)
	b.Cleanup(func() { raw.Close() })
	ctx := context.Background()
	for _, text := range []string{"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE t(data BLOB)"} {
		_, err := raw.(driver.ExecerContext).ExecContext(ctx, text, nil)
		require.NoError(b, err)
	}
	var statements []driver.StmtExecContext
	for _, text := range []string{"BEGIN IMMEDIATE", "INSERT INTO t VALUES(?)", "COMMIT"} {
		s, err := raw.(driver.ConnPrepareContext).PrepareContext(ctx, text)
		require.NoError(b, err)
		statements = append(statements, s.(driver.StmtExecContext))
	}
	exec := func(n int, args ...driver.NamedValue) {
		_, err := statements[n].ExecContext(ctx, args)
		require.NoError(b, err)
	}
	data := driver.NamedValue{Ordinal: 1, Value: make([]byte, bytes)}
	return func() {
		exec(0)
		for range size {
			exec(1, data)
		}
		exec(2)
	}
}
