package flowlua_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

// An engine whose database file is deleted halts all runs by the next renewal of its lease, says where they are saved, and they go
// on from there.
func TestDatabaseTakenAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, path := context.Background(), filepath.Join(t.TempDir(), "runs.db")
		open := func(path string) *flowlua.Engine {
			e, err := flowlua.Open(path, flowlua.Config{Print: io.Discard, Scripts: fstest.MapFS{"flow.lua": {Data: []byte(prelude + `
				local n = 0
				for i = 1, 2 do n = n + flow.signal("number"):await() end
				return n`)}}})
			require.NoError(t, err)
			return e
		}
		e := open(path)
		run, err := e.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run"})
		require.NoError(t, err)
		require.NoError(t, e.Signal(ctx, "run", "number", 40))
		require.NoError(t, os.Remove(path))
		begun := time.Now()
		err = run.Result(ctx)
		require.ErrorIs(t, err, history.ErrMoved)
		require.LessOrEqual(t, time.Since(begun), 4*time.Second)
		_, err = e.Start(ctx, "flow", nil, flowlua.StartOptions{})
		require.ErrorIs(t, err, history.ErrMoved)
		require.ErrorIs(t, e.Signal(ctx, "run", "number", 1), history.ErrMoved)
		err = e.Close(ctx)
		require.ErrorIs(t, err, history.ErrMoved)

		saved := regexp.MustCompile(`saved in (\S+):`).FindStringSubmatch(err.Error())
		require.Len(t, saved, 2, err.Error())
		e = open(saved[1])
		require.NoError(t, e.Recover(ctx))
		require.NoError(t, e.Signal(ctx, "run", "number", 2))
		run, err = e.Find(ctx, "run")
		require.NoError(t, err)
		var n int
		require.NoError(t, run.Result(ctx, &n))
		require.Equal(t, 42, n)
		require.NoError(t, e.Close(ctx))
	})
}
