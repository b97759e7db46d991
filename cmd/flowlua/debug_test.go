package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDebugChangesNothing: the database is the same before and after, row by row, whatever is done to a copy.
func TestDebugChangesNothing(t *testing.T) {
	db := filepath.Join(t.TempDir(), "runs.db")
	flowlua := func(input string, args ...string) string {
		var out bytes.Buffer
		execute(append(args, "--db", db), streams{In: strings.NewReader(input), Out: &out, Err: &out, Getenv: func(string) string { return "" }})
		return out.String()
	}
	for _, run := range []string{"payment-1", "payment-2", "payment-3"} {
		require.Contains(t, flowlua("", "import", filepath.Join("testdata", "runs", run+".json")), "is imported")
	}
	before := content(t, db)
	require.Contains(t, before, "payment-3")
	typed := `:back
order.id = 99
:step
:goto 1
order.amount = -1
:step
:signal approve "Eve"
:cancel
:complete charge 1
:fail charge Oops
:run
:replay
:tree
`
	for _, run := range []string{"payment-1", "payment-2", "payment-3"} {
		require.Contains(t, flowlua(typed, "debug", run), "identical", run)
	}
	require.Equal(t, before, content(t, db))
}

// content is all that is in the tables of a database.
func content(t *testing.T, path string) string {
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	names := query(t, db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintln(&b, "#", name[0])
		for _, row := range query(t, db, fmt.Sprintf("SELECT * FROM %q", name[0])) {
			fmt.Fprintf(&b, "%q\n", row)
		}
	}
	return b.String()
}

func query(t *testing.T, db *sql.DB, text string) (list [][]string) {
	rows, err := db.Query(text)
	require.NoError(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		row, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		require.NoError(t, rows.Scan(into...))
		texts := make([]string, len(row))
		for i := range row {
			texts[i] = row[i].String
		}
		list = append(list, texts)
	}
	require.NoError(t, rows.Err())
	return list
}
