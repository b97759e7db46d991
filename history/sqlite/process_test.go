package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/history/sqlite"
)

const childEnv = "FLOWLUA_SQLITE_TEST_CHILD" // the file that a process which is to be killed writes to

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		if err := child(path); err != nil {
			fmt.Println("error", err)
		}
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// child commits turns of all runs for ever, and says after each commit what is committed.
func child(path string) error {
	ctx := context.Background()
	s, err := sqlite.Open(path, sqlite.Config{})
	if err != nil {
		return err
	}
	me, err := s.Join(ctx, history.Owner{Name: strconv.Itoa(os.Getpid()), Until: time.Unix(1<<32, 0)})
	if err != nil {
		return err
	}
	now := time.Unix(0, 0) // the leases of the killed run for ever
	if runtime.GOOS != "linux" {
		now = time.Unix(1<<33, 0) // nobody knows here that they are dead
	}
	runs, err := s.Claim(ctx, history.Claim{Owner: me, Now: now})
	if err != nil {
		return err
	}
	fmt.Println("claimed", len(runs))
	for n := 0; ; n++ {
		steps := make([]history.Step, len(runs))
		for i := range runs {
			runs[i].Turns++
			steps[i] = history.Step{Ref: runs[i].Ref, Turn: benchTurn(runs[i].Turns), Attempts: []history.Attempt{{Op: "/1", Number: n}}}
		}
		written, err := s.Commit(ctx, me, steps)
		if err != nil {
			return err
		}
		line := "committed"
		for i := range written {
			if written[i].Err != nil {
				return written[i].Err
			}
			line += fmt.Sprintf(" %s=%d", runs[i].ID, runs[i].Turns)
		}
		fmt.Println(line)
	}
}

// withRuns is a store with so many open runs, and where it is.
func withRuns(t *testing.T, n int) (s *sqlite.Store, path string) {
	path = filepath.Join(t.TempDir(), "f.db")
	s = open(t, path)
	for i := range n {
		run := history.Run{Ref: history.Ref{ID: fmt.Sprint("r", i)}, Program: benchScript.Hash()}
		require.NoError(t, s.Create(context.Background(), history.NewRun{Run: run, Sources: benchScript}))
	}
	return s, path
}

// startChild starts a process that commits, and gives the lines that it says. It ends with the test.
func startChild(t *testing.T, path string) (*exec.Cmd, *bufio.Scanner) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+path)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, bufio.NewScanner(out)
}

// A process is killed at any moment. What it has said to be committed is there, all is whole, and the next goes on at once.
func TestKill(t *testing.T) {
	const kills, runs = 50, 3
	ctx := context.Background()
	s, path := withRuns(t, runs)
	defer s.Close()
	random := rand.New(rand.NewPCG(1, 2))
	for n := range kills {
		cmd, lines := startChild(t, path)
		var last string
		for commits := 1 + random.IntN(4); commits > 0 && lines.Scan(); {
			if last = lines.Text(); strings.HasPrefix(last, "committed") {
				commits--
			} else {
				require.Equal(t, fmt.Sprint("claimed ", runs), last, "kill %d", n)
			}
		}
		after := time.NewTimer(time.Duration(random.IntN(2000)) * time.Microsecond) // in the middle of something
		<-after.C
		require.NoError(t, cmd.Process.Kill())
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "committed") {
				last = lines.Text()
			}
		}
		require.Error(t, cmd.Wait())

		sound(t, s)
		said := strings.Fields(last)
		require.Len(t, said, runs+1)
		for _, word := range said[1:] {
			id, text, _ := strings.Cut(word, "=")
			turns, err := strconv.ParseInt(text, 10, 64)
			require.NoError(t, err)
			run, err := s.Run(ctx, history.Ref{ID: id})
			require.NoError(t, err)
			require.GreaterOrEqual(t, run.Turns, turns)
			require.LessOrEqual(t, run.Turns, turns+1, "one commit was on its way")
		}
	}
}

// Two stores in one file, with several goroutines each, at whatever there is to do: nobody sees SQLITE_BUSY.
func TestNobodyIsBusy(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "f.db")
	stores := []*sqlite.Store{open(t, path), open(t, path)}
	const workers, rounds = 3, 40
	var wg sync.WaitGroup
	for i := range workers * len(stores) {
		s := stores[i%len(stores)]
		wg.Go(func() {
			if err := hammer(ctx, s, i, rounds); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	sound(t, stores[0])
	for _, s := range stores {
		require.NoError(t, s.Close())
	}
}

func hammer(ctx context.Context, s *sqlite.Store, worker, rounds int) error {
	me, err := s.Join(ctx, history.Owner{Name: "e", Until: time.Unix(1<<32, 0)})
	if err != nil {
		return err
	}
	id := fmt.Sprint("w", worker)
	begin := history.NewRun{Run: history.Run{Ref: history.Ref{ID: id}, Program: benchScript.Hash()}, Sources: benchScript}
	written, err := s.Commit(ctx, me, []history.Step{{Start: []history.NewRun{begin}}})
	if err != nil {
		return err
	}
	for n := range rounds {
		step := history.Step{Ref: written[0].Started[0], Turn: benchTurn(int64(n + 1)), Send: []history.Mail{{To: fmt.Sprint("w", (worker+1)%6), Event: benchTurn(1).Events[0]}}}
		w, err := s.Commit(ctx, me, []history.Step{step})
		if err == nil {
			err = w[0].Err
		}
		if err == nil {
			_, err = s.Claim(ctx, history.Claim{Owner: me, Now: time.Unix(0, 0), IDs: []string{"x"}})
		}
		if err == nil {
			err = s.Renew(ctx, me, time.Unix(1<<32, 0))
		}
		if err == nil {
			_, err = s.Inbox(ctx, me, 0)
		}
		for _, e := range s.Runs(ctx, history.Filter{}) {
			err = errors.Join(err, e)
		}
		if err != nil {
			return fmt.Errorf("worker %d, round %d: %w", worker, n, err)
		}
	}
	return nil
}
