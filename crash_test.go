package flowlua_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/history/sqlite"
	"github.com/flowlua/flowlua/workflow"
)

// TestCrashes kills the engine of each workflow at every commit, before and after it is written, and then at random commits again
// and again: what comes out is what comes out undisturbed, which the first line of each script says.
func TestCrashes(t *testing.T) {
	scripts, err := filepath.Glob("testdata/crashes/*.lua")
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, file := range scripts {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		want, _, _ := strings.Cut(strings.TrimPrefix(string(source), "-- "), "\n")
		t.Run(strings.TrimSuffix(filepath.Base(file), ".lua"), func(t *testing.T) {
			c := crashing{fsys: fstest.MapFS{"flow.lua": {Data: source}}, want: want}
			commits := c.live(t, func() (int, bool) { return 0, false })
			require.Less(t, 1, commits)
			for at := 1; at <= commits; at++ {
				for _, before := range []bool{true, false} {
					once := at
					c.live(t, func() (int, bool) { n := once; once = 0; return n, before })
				}
			}
			random := rand.New(rand.NewPCG(seed, 1))
			for n := range 20 {
				c.onDisk = n%5 == 0
				c.live(t, func() (int, bool) { return 1 + random.IntN(commits), random.IntN(2) == 0 })
			}
		})
	}
}

// crashing is a workflow whose engines die.
type crashing struct {
	fsys   fstest.MapFS
	want   string
	onDisk bool // each engine opens the file anew
	store  history.Store
	last   *mortal // the store of the engine that lived last
}

// live runs the workflow to its end; death says how many commits each engine lives, 0 is for ever. It returns how many the last
// one made if that was one of these.
func (c *crashing) live(t *testing.T, death func() (commits int, before bool)) (commits int) {
	synctest.Test(t, func(t *testing.T) {
		c.store = new(history.Memory)
		file := filepath.Join(t.TempDir(), "runs.db")
		for lives := 1; ; lives++ {
			require.Less(t, lives, 500, "it does not get on")
			if c.onDisk {
				store, err := sqlite.Open(file, sqlite.Config{Synchronous: "normal"})
				require.NoError(t, err)
				c.store = store
			}
			commits, before := death()
			m := newMortal(c.store, commits, before)
			c.last = m
			got, ended := c.life(t, m)
			if ended {
				require.Equal(t, c.want, got, "after %d lives", lives)
				break
			}
			require.NoError(t, c.store.Close())
			time.Sleep(time.Duration(lives%3) * 7 * time.Second) // sometimes the lease runs out before somebody comes
		}
		c.check(t)
		require.NoError(t, c.store.Close())
	})
	return -c.last.until
}

// life lets an engine drive the run until it dies or the run has ended.
func (c *crashing) life(t *testing.T, m *mortal) (result string, ended bool) {
	e := c.open(t, m)
	defer e.Close(context.Background())
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Hour)
	defer cancel()
	go func() {
		select {
		case <-m.died:
			cancel()
		case <-ctx.Done():
		}
	}()
	err := c.begin(ctx, e)
	if err == nil {
		var run *flowlua.Run
		if run, err = e.Find(ctx, "run"); err == nil {
			err = run.Result(ctx)
		}
	}
	if m.alive() != nil {
		return "", false
	}
	if err != nil {
		for run, err := range c.store.Runs(context.Background(), history.Filter{}) {
			rec, _ := history.Record(context.Background(), c.store, run.Ref)
			t.Logf("%+v %v", run, err)
			_, _ = rec.WriteTo(t.Output())
			nodes, err := e.Dump(context.Background(), run.ID)
			t.Logf("%+v %v", nodes, err)
		}
	}
	require.NoError(t, err)
	info, err := e.Get(ctx, "run")
	require.NoError(t, err)
	return string(info.Result), true
}

func (c *crashing) begin(ctx context.Context, e *flowlua.Engine) error {
	if err := e.Recover(ctx); err != nil {
		return err
	}
	if _, err := c.store.Run(ctx, history.Ref{ID: "run"}); !errors.Is(err, history.ErrNotFound) {
		return err
	}
	_, err := e.Start(ctx, "main", nil, flowlua.StartOptions{ID: "run", Script: "flow.lua"})
	return err
}

// open makes an engine that evicts whatever it can.
func (c *crashing) open(t *testing.T, m *mortal) *flowlua.Engine {
	e, err := flowlua.Open(":memory:", flowlua.Config{Store: m, Scripts: c.fsys, Print: io.Discard, Cache: -1})
	require.NoError(t, err)
	work := func(ctx context.Context, name string, seconds float64) (string, error) {
		select {
		case <-time.After(time.Duration(seconds * float64(time.Second))):
			return name + " done", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	// flaky fails so many times, which it remembers by its heartbeats: one that is lost in a crash makes it try once more.
	flaky := func(ctx context.Context, times int) (string, error) {
		var n int
		if _, err := flowlua.HeartbeatDetails(ctx, &n); err != nil {
			return "", err
		}
		if n >= times {
			return fmt.Sprintf("after %d", times), nil
		}
		return "", errors.Join(flowlua.Heartbeat(ctx, n+1), errors.New("not yet"))
	}
	require.NoError(t, e.RegisterActivity("work", work))
	require.NoError(t, e.RegisterActivity("flaky", flaky))
	require.NoError(t, e.RegisterActivity("broken", func() error { return errors.New("for ever") }))
	return e
}

// check looks at what is left behind: every run has ended, replays, and has each outcome once; no mail is lying about.
func (c *crashing) check(t *testing.T) {
	ctx := context.Background()
	for run, err := range c.store.Runs(ctx, history.Filter{}) {
		require.NoError(t, err)
		require.NotEqual(t, history.Open, run.Status, "run %s number %d", run.ID, run.Number)
		rec, err := history.Record(ctx, c.store, run.Ref)
		require.NoError(t, err)
		outcomes := map[string]int{}
		for _, turn := range rec.Turns {
			for _, ev := range turn.Events {
				if ev.Op != "" {
					outcomes[ev.Op]++
				}
			}
		}
		for op, n := range outcomes {
			require.Equal(t, 1, n, "outcomes of %s in %s", op, run.ID)
		}
		program, err := workflow.NewProgram(rec.Sources)
		require.NoError(t, err)
		x, err := workflow.Replay(workflow.Config{Program: program, Workflow: run.Workflow, Run: run.Ref, Parent: run.Parent}, workflow.Turns(rec.Turns))
		require.NoError(t, err)
		x.Close()
		attempts, err := c.store.Attempts(ctx, run.Ref)
		require.NoError(t, err)
		require.Empty(t, attempts)
	}
}

// TestAttemptsAfterACrash: an attempt that a crash has cut off counts, but is no failure.
func TestAttemptsAfterACrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(history.Memory)
		var numbers []int
		open := func(m *mortal) *flowlua.Engine {
			e, err := flowlua.Open("", flowlua.Config{Store: m, Print: io.Discard, Scripts: fstest.MapFS{"flow.lua": {Data: []byte(prelude + `
				return flow.activity("work", { retry = { initial = 1, backoff = 1, max_attempts = 2 } })():await()`)}}})
			require.NoError(t, err)
			require.NoError(t, e.RegisterActivity("work", func(ctx context.Context) (int, error) {
				n := flowlua.ActivityInfo(ctx).Number
				numbers = append(numbers, n)
				select {
				case <-time.After(10 * time.Second):
				case <-ctx.Done():
					return 0, ctx.Err()
				}
				if n == 3 {
					return 0, errors.New("the first failure")
				}
				return n, nil
			}))
			return e
		}
		ctx := t.Context()
		for range 2 { // each dies while it performs the activity
			m := newMortal(store, 0, false)
			e := open(m)
			if len(numbers) == 0 {
				_, err := e.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run"})
				require.NoError(t, err)
			} else {
				require.NoError(t, e.Recover(ctx))
			}
			time.Sleep(5 * time.Second)
			m.die()
			require.Error(t, e.Close(ctx))
			time.Sleep(20 * time.Second)
		}
		e := open(newMortal(store, 0, false))
		require.NoError(t, e.Recover(ctx))
		run, err := e.Find(ctx, "run")
		require.NoError(t, err)
		var n int
		require.NoError(t, run.Result(ctx, &n))
		require.Equal(t, 4, n)
		require.Equal(t, []int{1, 2, 3, 4}, numbers)
		var past history.Past
		for turn, err := range e.History(ctx, history.Ref{ID: "run"}) {
			require.NoError(t, err)
			for _, ev := range turn.Events {
				past = append(past, ev.Attempts...)
			}
		}
		require.Len(t, past, 4, "the attempts that were cut off are in the history, too")
		for i, a := range past {
			require.Equal(t, i+1, a.Number)
			require.Equal(t, i < 2, a.Lost())
		}
		require.Equal(t, "the first failure", past[2].Failure.Message)
		require.Equal(t, 10*time.Second, past[3].Ended.Sub(past[3].Began))
		require.Nil(t, past[3].Failure)
		require.NoError(t, e.Close(ctx))
	})
}

// TestPauseAfterACrash: who dies in the pause between two attempts has lost none, also if the pause is over when the run is taken up.
func TestPauseAfterACrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, ctx := new(history.Memory), t.Context()
		var numbers []int
		open := func(m *mortal) *flowlua.Engine {
			e, err := flowlua.Open("", flowlua.Config{Store: m, Print: io.Discard, Scripts: fstest.MapFS{"flow.lua": {Data: []byte(prelude + `
				return flow.activity("work", { retry = { initial = 10, max_attempts = 2 } })():await()`)}}})
			require.NoError(t, err)
			require.NoError(t, e.RegisterActivity("work", func(ctx context.Context) error {
				if numbers = append(numbers, flowlua.ActivityInfo(ctx).Number); len(numbers) == 1 {
					return errors.New("busy")
				}
				return nil
			}))
			return e
		}
		m := newMortal(store, 0, false)
		dying := open(m)
		_, err := dying.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run"})
		require.NoError(t, err)
		time.Sleep(5 * time.Second)
		m.die()
		require.Error(t, dying.Close(ctx))
		time.Sleep(time.Minute)
		e := open(newMortal(store, 0, false))
		require.NoError(t, e.Recover(ctx))
		run, err := e.Find(ctx, "run")
		require.NoError(t, err)
		require.NoError(t, run.Result(ctx))
		require.Equal(t, []int{1, 2}, numbers)
		for turn, err := range e.History(ctx, history.Ref{ID: "run"}) {
			require.NoError(t, err)
			for _, ev := range turn.Events {
				for i, a := range ev.Attempts {
					require.Equal(t, i+1, a.Number)
					require.False(t, a.Lost())
				}
			}
		}
		require.NoError(t, e.Close(ctx))
	})
}
