package flowlua_test

import (
	"context"
	"io"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

// suspended is a store for an engine whose process can be stopped, as SIGSTOP does: what it wants of the store waits.
type suspended struct {
	history.Store
	mu    sync.Mutex
	going chan struct{} // closed when it goes on; nil: it is not stopped
}

func (s *suspended) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.going = make(chan struct{})
}

func (s *suspended) goOn() { close(s.going) }

func (s *suspended) pass() {
	s.mu.Lock()
	going := s.going
	s.mu.Unlock()
	if going != nil {
		<-going
	}
}

func (s *suspended) Commit(ctx context.Context, owner int64, steps []history.Step) ([]history.Written, error) {
	s.pass()
	return s.Store.Commit(ctx, owner, steps)
}

func (s *suspended) Renew(ctx context.Context, owner int64, until time.Time) error {
	s.pass()
	return s.Store.Renew(ctx, owner, until)
}

func (s *suspended) Claim(ctx context.Context, claim history.Claim) ([]history.Run, error) {
	s.pass()
	return s.Store.Claim(ctx, claim)
}

func (s *suspended) Close() error { return nil }

// two engines on one store, of which the first can be stopped.
func twoEngines(t *testing.T, script string, test func(t *testing.T, store history.Store, first *suspended, a, b *flowlua.Engine)) {
	synctest.Test(t, func(t *testing.T) {
		store := new(history.Memory)
		first, second := &suspended{Store: store}, &suspended{Store: store}
		open := func(s *suspended) *flowlua.Engine {
			e, err := flowlua.Open("", flowlua.Config{Store: s, Scripts: fstest.MapFS{"flow.lua": {Data: []byte(prelude + script)}}, Print: io.Discard})
			require.NoError(t, err)
			return e
		}
		a, b := open(first), open(second)
		defer func() {
			require.NoError(t, b.Close(context.Background()))
			require.NoError(t, a.Close(context.Background()))
		}()
		test(t, store, first, a, b)
	})
}

// An engine that was stopped for longer than its lease wakes up and cannot write anything: its runs have gone on elsewhere, and
// who waits for one here hears of its end there.
func TestStoppedEngineIsFenced(t *testing.T) {
	twoEngines(t, `
		local sum = 0
		for i = 1, 20 do flow.sleep(1) sum = sum + i end
		return sum`, func(t *testing.T, store history.Store, first *suspended, a, b *flowlua.Engine) {
		ctx := t.Context()
		run, err := a.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run"})
		require.NoError(t, err)
		require.NoError(t, b.Recover(ctx))
		time.Sleep(5500 * time.Millisecond)
		first.stop()
		time.Sleep(8 * time.Second)
		owned, err := store.Run(ctx, history.Ref{ID: "run"})
		require.NoError(t, err)
		require.Equal(t, int64(1), owned.Owner, "its lease is not over")
		time.Sleep(7 * time.Second)
		owned, err = store.Run(ctx, history.Ref{ID: "run"})
		require.NoError(t, err)
		require.Equal(t, int64(2), owned.Owner)
		turns := owned.Turns
		first.goOn()
		synctest.Wait()
		owned, err = store.Run(ctx, history.Ref{ID: "run"})
		require.NoError(t, err)
		require.Equal(t, turns, owned.Turns, "nothing of the one that was stopped")
		var sum int
		require.NoError(t, run.Result(ctx, &sum))
		require.Equal(t, 210, sum)
		require.ErrorIs(t, a.Signal(ctx, "run", "late"), flowlua.ErrNotOpen)
	})
}

// Signals, cancellations, queries and new runs of an engine that does not drive the run reach the one that does.
func TestEnginesReachEachOther(t *testing.T) {
	twoEngines(t, `
		flow.workflow("asked", function()
			local got = {}
			flow.query("count", function() return #got end)
			for i = 1, 2 do got[i] = flow.signal("number"):await() end
			flow.try {
				function() flow.sleep(1e6) end,
				catch = function(err) flow.status { got[1] + got[2], err.reason } error(err) end,
			}:await()
		end)`, func(t *testing.T, store history.Store, _ *suspended, a, b *flowlua.Engine) {
		ctx := t.Context()
		require.NoError(t, a.Recover(ctx))
		run, err := b.Start(ctx, "asked", nil, flowlua.StartOptions{ID: "run", Detach: true})
		require.NoError(t, err)
		synctest.Wait()
		require.NoError(t, b.Signal(ctx, "run", "number", 40))
		require.NoError(t, b.Signal(ctx, "run", "number", 2))
		synctest.Wait()
		var n int
		require.NoError(t, b.Query(ctx, "run", "count", &n))
		require.Equal(t, 2, n)
		nodes, err := b.Dump(ctx, "run")
		require.NoError(t, err)
		require.NotEmpty(t, nodes)
		require.NoError(t, b.Cancel(ctx, "run", "enough"))
		require.ErrorIs(t, run.Result(ctx), flowlua.ErrCancelled)
		info, err := b.Get(ctx, "run")
		require.NoError(t, err)
		require.JSONEq(t, `[[42, "enough"]]`, string(info.State))
		require.ErrorIs(t, b.Signal(ctx, "run", "number", 3), flowlua.ErrNotOpen)
		require.ErrorIs(t, b.Signal(ctx, "other", "number", 3), flowlua.ErrNotFound)
		_, err = b.Start(ctx, "asked", nil, flowlua.StartOptions{ID: "run"})
		require.ErrorIs(t, err, flowlua.ErrAlreadyExists)
	})
}

// An engine that closes hands its runs back at once.
func TestCloseHandsOver(t *testing.T) {
	twoEngines(t, `flow.sleep(100) return "done"`, func(t *testing.T, store history.Store, _ *suspended, a, b *flowlua.Engine) {
		ctx := t.Context()
		require.NoError(t, b.Recover(ctx))
		_, err := a.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run"})
		require.NoError(t, err)
		_, err = b.Resume(ctx, "run")
		require.ErrorIs(t, err, flowlua.ErrNotOwned)
		begun := time.Now()
		require.NoError(t, a.Close(ctx))
		synctest.Wait()
		run, err := b.Resume(ctx, "run")
		require.NoError(t, err)
		require.NoError(t, run.Result(ctx))
		require.Equal(t, 100*time.Second, time.Since(begun))
	})
}

// A run that an engine error has stopped stays where it is until somebody resumes it by name.
func TestHaltedRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(history.Memory)
		open := func(instructions int64) *flowlua.Engine {
			config := flowlua.Config{Store: &suspended{Store: store}, Print: io.Discard, Scripts: fstest.MapFS{"flow.lua": {Data: []byte(prelude + `
				local n = flow.signal("go"):await()
				for i = 1, n do end
				return n`)}}}
			config.Limits.Instructions = instructions
			e, err := flowlua.Open("", config)
			require.NoError(t, err)
			return e
		}
		ctx := t.Context()
		e := open(100_000)
		run, err := e.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run"})
		require.NoError(t, err)
		require.ErrorContains(t, e.Signal(ctx, "run", "go", 1_000_000), "Instructions")
		require.ErrorContains(t, run.Result(ctx), "Instructions")
		info, err := e.Get(ctx, "run")
		require.NoError(t, err)
		require.Equal(t, history.Open, info.Status)
		require.Contains(t, info.Halted, "Instructions")
		require.Zero(t, info.Owner)
		require.NoError(t, e.Recover(ctx))
		require.NoError(t, e.Signal(ctx, "run", "go", 7), "it is kept for the one that takes the run up")
		require.NoError(t, e.Close(ctx))

		e = open(10_000_000)
		require.NoError(t, e.Recover(ctx))
		info, err = e.Get(ctx, "run")
		require.NoError(t, err)
		require.Contains(t, info.Halted, "Instructions")
		run, err = e.Resume(ctx, "run")
		require.NoError(t, err)
		var n int
		require.NoError(t, run.Result(ctx, &n))
		require.Equal(t, 7, n, "the signal that could not be taken was refused")
		require.NoError(t, e.Close(ctx))
	})
}

// An upgrade takes a run from the engine that drives it; that one goes on with the new script, also if it does not recover.
func TestUpgradeOfALiveRun(t *testing.T) {
	twoEngines(t, `flow.signal("go"):await() return "old"`, func(t *testing.T, store history.Store, _ *suspended, a, _ *flowlua.Engine) {
		ctx := t.Context()
		run, err := a.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run"})
		require.NoError(t, err)
		revised := history.Sources{Main: "flow.lua", Files: map[string]string{"flow.lua": prelude + `flow.signal("go"):await() return "new"`}}
		require.NoError(t, store.Revise(ctx, history.Ref{ID: "run"}, 1, revised))
		synctest.Wait()
		require.NoError(t, a.Signal(ctx, "run", "go"))
		var text string
		require.NoError(t, run.Result(ctx, &text))
		require.Equal(t, "new", text)
	})
}

// A run that another engine has taken, and ended, is over for those who wait for it here.
func TestRunTakenByAnother(t *testing.T) {
	twoEngines(t, `flow.signal("go"):await() return "done"`, func(t *testing.T, store history.Store, _ *suspended, a, b *flowlua.Engine) {
		ctx := t.Context()
		run, err := a.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run"})
		require.NoError(t, err)
		number, err := store.Join(ctx, history.Owner{Name: "third", Until: time.Now().Add(time.Hour)})
		require.NoError(t, err)
		taken, err := store.Claim(ctx, history.Claim{Owner: number, Now: time.Now().Add(time.Hour)}) // its clock is an hour ahead
		require.NoError(t, err)
		require.Len(t, taken, 1)
		require.NoError(t, store.Leave(ctx, number))
		require.NoError(t, b.Recover(ctx))
		require.NoError(t, b.Signal(ctx, "run", "go"))
		var text string
		require.NoError(t, run.Result(ctx, &text))
		require.Equal(t, "done", text)
	})
}
