package sqlite_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/history/sqlite"
)

// asNobody does something with the rights of somebody who owns nothing, also where tests are run by root.
func asNobody(t *testing.T, do func()) {
	if os.Geteuid() != 0 {
		do()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_, err := unix.SetfsuidRetUid(65534)
	require.NoError(t, err)
	defer unix.SetfsuidRetUid(0)
	do()
}

func TestOpenWithoutPermission(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "f.db")
	require.NoError(t, open(t, path).Close())
	require.NoError(t, os.Chmod(path, 0o444))
	require.NoError(t, os.Chmod(filepath.Dir(folder), 0o755)) // so that nobody comes this far
	require.NoError(t, os.Chmod(folder, 0o555))
	defer os.Chmod(folder, 0o755)
	asNobody(t, func() {
		for _, p := range []string{path, filepath.Join(folder, "new.db")} {
			s, err := sqlite.Open(p, sqlite.Config{})
			require.Nil(t, s)
			require.ErrorContains(t, err, "writable", "%s", p)
		}
	})
}

// The kernel knows which owners live.
func TestGone(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "f.db")
	one, other := open(t, path), open(t, path)
	defer other.Close()
	me, err := one.Join(ctx, history.Owner{Name: "one", Until: benchTurn(0).Time})
	require.NoError(t, err)
	she, err := other.Join(ctx, history.Owner{Name: "other", Until: benchTurn(0).Time})
	require.NoError(t, err)
	commit(t, one, me, history.Step{Start: []history.NewRun{{Run: history.Run{Ref: history.Ref{ID: "r"}, Program: benchScript.Hash()}, Sources: benchScript}}})
	for _, s := range []*sqlite.Store{one, other} {
		owners, err := s.Owners(ctx)
		require.NoError(t, err)
		require.Len(t, owners, 2)
		for _, o := range owners {
			require.False(t, o.Gone, o.Name)
		}
	}
	before := benchTurn(0).Time.Add(-1)
	claimed, err := other.Claim(ctx, history.Claim{Owner: she, Now: before})
	require.NoError(t, err)
	require.Empty(t, claimed)

	require.NoError(t, one.Close()) // as the end of its process would
	owners, err := other.Owners(ctx)
	require.NoError(t, err)
	require.True(t, owners[0].Gone)
	require.False(t, owners[1].Gone)
	claimed, err = other.Claim(ctx, history.Claim{Owner: she, Now: before})
	require.NoError(t, err)
	require.Len(t, claimed, 1)
	owners, err = other.Owners(ctx)
	require.NoError(t, err)
	require.Len(t, owners, 1)

	require.NoError(t, os.Remove(path+"-owners"))
	third := open(t, path)
	defer third.Close()
	owners, err = third.Owners(ctx)
	require.NoError(t, err)
	require.True(t, owners[0].Gone, "as in a copy that is elsewhere")
}

// A process that is only stopped is not gone: it could go on at any time.
func TestStoppedIsNotGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.db")
	s := open(t, path)
	defer s.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+path)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	require.Equal(t, "claimed 0", lines.Text())
	gone := func() bool {
		owners, err := s.Owners(context.Background())
		require.NoError(t, err)
		require.Len(t, owners, 1)
		return owners[0].Gone
	}
	require.False(t, gone())
	require.NoError(t, cmd.Process.Signal(unix.SIGSTOP))
	require.False(t, gone())
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.True(t, gone())
}
