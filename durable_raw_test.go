package flowlua_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"
)

// raw writes as many bytes as the store has, in as many rows and commits, into one table of a database with the same settings.
func raw(b *testing.B, c *counted) time.Duration {
	ctx := context.Background()
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "raw.db"))
	require.NoError(b, err)
	defer db.Close()
	conn, err := db.Conn(ctx)
	require.NoError(b, err)
	defer conn.Close()
	for _, text := range []string{"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE t (run INT, seq INT, data BLOB, PRIMARY KEY (run, seq)) WITHOUT ROWID"} {
		_, err := conn.ExecContext(ctx, text)
		require.NoError(b, err)
	}
	insert, err := conn.PrepareContext(ctx, "INSERT INTO t VALUES (?, ?, ?)")
	require.NoError(b, err)
	defer insert.Close()
	commits, rows := int(c.commits.Load()), c.rows(b)
	begun := time.Now()
	for i, done := 0, 0; i < commits; i++ {
		_, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE")
		require.NoError(b, err)
		for ; done < len(rows)*(i+1)/commits; done++ {
			_, err := insert.ExecContext(ctx, done/3, done%3, rows[done])
			require.NoError(b, err)
		}
		_, err = conn.ExecContext(ctx, "COMMIT")
		require.NoError(b, err)
	}
	return time.Since(begun)
}
