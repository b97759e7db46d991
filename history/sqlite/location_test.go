package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/history/sqlite"
)

// A store whose file is taken away under it says so at the next lease or commit, writes nothing more, and saves what it has.
func TestFileTakenAway(t *testing.T) {
	for name, take := range map[string]func(t *testing.T, path string){
		"deleted": func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) },
		"deleted with its log": func(t *testing.T, path string) {
			for _, p := range []string{path, path + "-wal", path + "-shm"} {
				require.NoError(t, os.Remove(p))
			}
		},
		"its log deleted": func(t *testing.T, path string) { require.NoError(t, os.Remove(path+"-wal")) },
		"renamed":         func(t *testing.T, path string) { require.NoError(t, os.Rename(path, path+".old")) },
		"replaced": func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path+".new", nil, 0o600))
			require.NoError(t, os.Rename(path+".new", path))
		},
	} {
		for _, atClose := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				ctx, path := context.Background(), filepath.Join(t.TempDir(), "runs.db")
				s, err := sqlite.Open(path, sqlite.Config{})
				require.NoError(t, err)
				until := time.Now().Add(time.Hour)
				owner, err := s.Join(ctx, history.Owner{Name: "e", Until: until})
				require.NoError(t, err)
				sources := history.Sources{Main: "a.lua", Files: map[string]string{"a.lua": ""}}
				require.NoError(t, s.Create(ctx, history.NewRun{Run: history.Run{Ref: history.Ref{ID: "run"}, Program: sources.Hash(), Status: history.Open}, Sources: sources}))
				require.NoError(t, s.Renew(ctx, owner, until))
				take(t, path)
				if !atClose {
					require.ErrorIs(t, s.Renew(ctx, owner, until), history.ErrMoved)
					_, err = s.Commit(ctx, owner, []history.Step{{Ref: history.Ref{ID: "run", Number: 1}}})
					require.ErrorIs(t, err, history.ErrMoved)
					_, err = s.Run(ctx, history.Ref{ID: "run"})
					require.ErrorIs(t, err, history.ErrMoved)
				}
				err = s.Close()
				require.ErrorIs(t, err, history.ErrMoved)
				require.ErrorContains(t, err, path)
				said := regexp.MustCompile(`saved in (\S+):`).FindStringSubmatch(err.Error())
				require.Len(t, said, 2, err.Error())
				saved, err := sqlite.Open(said[1], sqlite.Config{})
				require.NoError(t, err)
				run, err := saved.Run(ctx, history.Ref{ID: "run"})
				require.NoError(t, err)
				require.Equal(t, history.Open, run.Status)
				require.NoError(t, saved.Close())
			})
		}
	}
}
