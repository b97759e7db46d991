//go:build unix

package sqlite_test

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

// A process is stopped in the middle of its commits. Others take it for dead when its lease is over, which a clock that is far
// ahead says at once, and write on. When it wakes up it writes nothing more.
func TestStoppedProcess(t *testing.T) {
	const stops, runs = 20, 3
	ctx := context.Background()
	s, path := withRuns(t, runs)
	defer s.Close()
	random := rand.New(rand.NewPCG(3, 4))
	for n := range stops {
		cmd, lines := startChild(t, path)
		for commits := 2 + random.IntN(4); commits > 0 && lines.Scan(); commits-- {
		}
		stop(t, cmd)
		for !writable(t, path) { // it was stopped while it had the file, and nobody can write before it goes on
			require.NoError(t, cmd.Process.Signal(syscall.SIGCONT))
			require.True(t, lines.Scan())
			stop(t, cmd)
		}

		me, err := s.Join(ctx, history.Owner{Name: "me", Until: time.Unix(1<<34, 0)})
		require.NoError(t, err)
		taken, err := s.Claim(ctx, history.Claim{Owner: me, Now: time.Unix(1<<33, 0)})
		require.NoError(t, err)
		require.Len(t, taken, runs, "stop %d", n)
		for i := range taken {
			taken[i].Turns++
			written, err := s.Commit(ctx, me, []history.Step{{Ref: taken[i].Ref, Turn: benchTurn(taken[i].Turns)}})
			require.NoError(t, err)
			require.NoError(t, written[0].Err)
		}
		require.NoError(t, cmd.Process.Signal(syscall.SIGCONT))
		last := ""
		for lines.Scan() {
			last = lines.Text()
		}
		require.Error(t, cmd.Wait())
		require.True(t, strings.HasPrefix(last, "error") && strings.Contains(last, history.ErrFenced.Error()), last)
		for i := range taken {
			run, err := s.Run(ctx, taken[i].Ref)
			require.NoError(t, err)
			require.Equal(t, taken[i].Turns, run.Turns, "nothing of the one that was stopped")
		}
		require.NoError(t, s.Leave(ctx, me))
	}
	sound(t, s)
}

// stop returns when the process has been stopped.
func stop(t *testing.T, cmd *exec.Cmd) {
	require.NoError(t, cmd.Process.Signal(syscall.SIGSTOP))
	var status syscall.WaitStatus
	_, err := syscall.Wait4(cmd.Process.Pid, &status, syscall.WUNTRACED, nil)
	require.NoError(t, err)
	require.True(t, status.Stopped())
}

// writable reports whether no other process is writing.
func writable(t *testing.T, path string) bool {
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	conn, err := db.Conn(context.Background())
	require.NoError(t, err)
	defer conn.Close()
	_, err = conn.ExecContext(context.Background(), "PRAGMA busy_timeout = 0")
	require.NoError(t, err)
	if _, err := conn.ExecContext(context.Background(), "BEGIN IMMEDIATE"); err != nil {
		require.ErrorContains(t, err, "locked")
		return false
	}
	_, err = conn.ExecContext(context.Background(), "ROLLBACK")
	require.NoError(t, err)
	return true
}
