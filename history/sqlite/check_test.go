package sqlite_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

func TestCheckFindsDamage(t *testing.T) {
	ctx := context.Background()
	good := filepath.Join(t.TempDir(), "good.db")
	s := open(t, good)
	me, err := s.Join(ctx, history.Owner{Name: "e", Until: time.Unix(1<<32, 0)})
	require.NoError(t, err)
	begin := history.Step{}
	for _, id := range []string{"open", "closed"} {
		begin.Start = append(begin.Start, history.NewRun{Run: history.Run{Ref: history.Ref{ID: id}, Program: benchScript.Hash()}, Sources: benchScript})
	}
	end := benchTurn(2)
	end.Decisions = []history.Event{{Kind: history.RunFailed, Failure: &history.Failure{Name: "E"}}}
	closed, opened := history.Ref{ID: "closed", Number: 1}, history.Ref{ID: "open", Number: 1}
	commit(t, s, me, begin, history.Step{Ref: closed, Turn: benchTurn(1)}, history.Step{Ref: opened, Turn: benchTurn(1)}, history.Step{Ref: closed, Turn: end},
		history.Step{Ref: opened, Turn: benchTurn(2), Attempts: []history.Attempt{{Op: "/1"}},
			Send: []history.Mail{{To: "open", Event: history.Event{Kind: history.SignalReceived, Payload: json.RawMessage(`[]`)}}}})
	sound(t, s)
	require.NoError(t, s.Close())

	for damage, want := range map[string]string{
		"DELETE FROM turns WHERE place = 1":                  `run "closed" number 1: turn 2 follows turn 0`,
		"DELETE FROM turns WHERE place = 4":                  `run "open" number 1 has made 2 turns, of which 0 are there`,
		"UPDATE turns SET data = x'0105' WHERE place = 2":    `run "open" number 1: history: not a stored turn`,
		"UPDATE turns SET data = x'02' WHERE place = 2":      `format 2 by a newer release`,
		"UPDATE turns SET run = 7 WHERE place = 2":           `its turn 1 is of another run`,
		"INSERT INTO turns VALUES(9, 1, 3, 4, x'01')":        `there are 5 turns, but the runs have made 4`,
		"INSERT INTO turns VALUES(9, 8, 3, 4, x'01')":        `there is no run 8, but 1 turns of it`,
		"UPDATE runs SET status = 1 WHERE id = 'closed'":     `run "closed" number 1: its Status is completed, expected failed from its turns`,
		"UPDATE runs SET status = 9 WHERE id = 'closed'":     `has status 9, expected one from 0 to 4`,
		"UPDATE runs SET closed = 5 WHERE id = 'closed'":     `its Closed is`,
		"UPDATE runs SET failure = NULL WHERE id = 'closed'": `its Failure is`,
		"UPDATE runs SET state = x'00' WHERE id = 'open'":    `its State is`,
		"UPDATE runs SET result = x'00' WHERE id = 'closed'": `its Result is`,
		"UPDATE runs SET status = 0 WHERE id = 'closed'":     `run "closed" number 1 is open, but its row of the open runs says otherwise`,
		"DELETE FROM open": `its row of the open runs says otherwise`,
		"INSERT INTO open VALUES(77, 0, 0, 0, 0, '')":                                  `there is no run 77, but a row of it`,
		"DELETE FROM sources":                                                          `which is not stored`,
		"UPDATE sources SET data = x'00'":                                              `are damaged`,
		"UPDATE sources SET hash = 'abc'":                                              `give the right ones`,
		"UPDATE attempts SET run = 2":                                                  `run 2 is not open, but there are attempts of its operation /1`,
		"UPDATE mail SET id = 'closed'":                                                `mail 1 is for run "closed", which is not open`,
		"UPDATE mail SET number = 2":                                                   `mail 1 is for run "open"`,
		"UPDATE runs SET format = 2 WHERE id = 'open'":                                 `is written in format 2 by a newer release`,
		"PRAGMA writable_schema = 1; DELETE FROM sqlite_schema WHERE name = 'mail_id'": `the file is damaged: `,
	} {
		path := filepath.Join(t.TempDir(), "f.db")
		copyFile(t, good, path)
		execSQL(t, path, damage)
		s := open(t, path)
		var all []string
		for finding, err := range s.Check(ctx) {
			require.NoError(t, err)
			all = append(all, finding)
		}
		require.NoError(t, s.Close())
		require.NotEmpty(t, all, damage)
		found := ""
		for _, f := range all {
			found += f + "\n"
		}
		require.Contains(t, found, want, damage)
	}
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	require.NoError(t, err)
	defer in.Close()
	out, err := os.Create(to)
	require.NoError(t, err)
	_, err = io.Copy(out, in)
	require.NoError(t, err)
	require.NoError(t, out.Close())
}

// A page that cannot be read does not keep the rest from being checked, and what SQLite says is said once.
func TestCheckGoesOnAfterDamage(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "store.db")
	s := open(t, file)
	me, err := s.Join(ctx, history.Owner{Name: "e", Until: time.Unix(1<<32, 0)})
	require.NoError(t, err)
	for i := range 40 {
		ref := history.Ref{ID: fmt.Sprint("run-", i), Number: 1}
		turn := benchTurn(1)
		random := make([]byte, 3000)
		_, _ = rand.New(rand.NewSource(int64(i))).Read(random)
		turn.Events[0].Payload, err = json.Marshal([][]byte{random}) // what does not compress
		require.NoError(t, err)
		commit(t, s, me, history.Step{Start: []history.NewRun{{Run: history.Run{Ref: ref, Program: benchScript.Hash()}, Sources: benchScript}}}, history.Step{Ref: ref, Turn: turn})
	}
	sound(t, s)
	require.NoError(t, s.Close())
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for page := len(data)/4096 - 6; page > len(data)/4096-12; page-- { // of the turns, which came last
		copy(data[page*4096:], bytes.Repeat([]byte{0xaa}, 100))
	}
	require.NoError(t, os.WriteFile(file, data, 0o600))
	s = open(t, file)
	defer s.Close()
	var found []string
	for text, err := range s.Check(ctx) {
		require.NoError(t, err)
		found = append(found, text)
		require.LessOrEqual(t, strings.Count(text, "malformed"), 1, text)
	}
	require.Contains(t, strings.Join(found, "\n"), `number 1: database disk image is malformed`)
	require.Greater(t, len(found), 2)
	_, err = s.Run(ctx, history.Ref{ID: "run-0", Number: 1})
	require.NoError(t, err)
}
