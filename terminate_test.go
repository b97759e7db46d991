package flowlua_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

// aFamily has a grandparent that waits, a parent, and a child of each kind; the script ends with the last word.
const aFamily = `
	local nap = flow.workflow("nap", function(name)
		flow.try { function() flow.activity("work")():await() end, catch = function(err) error(err) end }:await()
	end)
	local parent = flow.workflow("parent", function()
		nap:with { id = "terminated" }("a")
		nap:with { id = "cancelled", on_parent_close = "cancel" }("b")
		nap:with { id = "abandoned", on_parent_close = "abandon" }("c")
		flow.sleep(1e6)
	end)
	flow.workflow("main", function() return parent:with { id = "parent" }():await() end)`

func status(t *testing.T, e *flowlua.Engine, id string) history.Status {
	info, err := e.Get(t.Context(), id)
	require.NoError(t, err)
	return info.Status
}

// A run that nobody drives is ended by who terminates it, with its children of the kind; its parent is told, and nothing is
// performed.
func TestTerminateWhatNobodyDrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, ctx := new(history.Memory), t.Context()
		driver := openHost(t, store, aFamily)
		forever, end := context.WithCancel(context.Background())
		require.NoError(t, driver.RegisterActivity("work", func() { <-forever.Done() }))
		_, err := driver.Start(ctx, "main", nil, flowlua.StartOptions{ID: "run"})
		require.NoError(t, err)
		synctest.Wait()
		driver.store.die() // what ends now is not written
		end()
		driver.die(t)

		operator := openHost(t, store, ``)
		require.NoError(t, operator.RegisterActivity("work", func() { t.Error("performed") }))
		require.NoError(t, operator.Terminate(ctx, "parent", "too early"))
		require.Equal(t, history.Open, status(t, operator.Engine, "parent"), "its driver may live: it is told")
		time.Sleep(11 * time.Second) // its lease is over
		require.NoError(t, operator.Terminate(ctx, "parent", "enough"))
		info, err := operator.Get(ctx, "parent")
		require.NoError(t, err)
		require.Equal(t, "TerminatedError: enough", info.Error().Error())
		require.Equal(t, history.Failed, status(t, operator.Engine, "terminated"))
		for _, id := range []string{"cancelled", "abandoned", "run"} {
			require.Equal(t, history.Open, status(t, operator.Engine, id))
		}
		require.ErrorIs(t, operator.Terminate(ctx, "parent", "again"), flowlua.ErrNotOpen)
		require.ErrorIs(t, operator.Terminate(ctx, "nobody", "x"), flowlua.ErrNotFound)
		require.NoError(t, operator.Close(ctx))

		next := openHost(t, store, ``, "work")
		require.NoError(t, next.Recover(ctx))
		run, err := next.Find(ctx, "run")
		require.NoError(t, err)
		require.ErrorContains(t, run.Result(ctx), "TerminatedError: enough", "the parent was told")
		synctest.Wait()
		require.Equal(t, history.Cancelled, status(t, next.Engine, "cancelled"))
		require.Equal(t, history.Completed, status(t, next.Engine, "abandoned"))
		require.NoError(t, next.Close(ctx))
		(&crashing{store: store}).check(t)
	})
}

// A termination that waits for a run goes before all else: nothing is performed when the run is taken up.
func TestTerminationWaitsForTheNextDriver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, ctx := new(history.Memory), t.Context()
		driver := openHost(t, store, aFamily)
		forever, end := context.WithCancel(context.Background())
		require.NoError(t, driver.RegisterActivity("work", func() { <-forever.Done() }))
		_, err := driver.Start(ctx, "nap", flowlua.Args{"a"}, flowlua.StartOptions{ID: "run"})
		require.NoError(t, err)
		synctest.Wait()
		driver.store.die() // what ends now is not written
		end()
		driver.die(t)
		next := openHost(t, store, ``)
		require.NoError(t, next.RegisterActivity("work", func() { t.Error("performed") }))
		require.NoError(t, next.Terminate(ctx, "run", "enough"))
		require.Equal(t, history.Open, status(t, next.Engine, "run"))
		time.Sleep(11 * time.Second)
		require.NoError(t, next.Recover(ctx))
		synctest.Wait()
		require.Equal(t, history.Failed, status(t, next.Engine, "run"))
		require.NoError(t, next.Close(ctx))
		(&crashing{store: store}).check(t)
	})
}

// What an engine error has halted, and what has never begun, can be terminated.
func TestTerminateHaltedAndDetached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, ctx := new(history.Memory), t.Context()
		e := openHost(t, store, `flow.signal("go"):await() while true do end`)
		_, err := e.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "halted"})
		require.NoError(t, err)
		require.ErrorContains(t, e.Signal(ctx, "halted", "go"), "Instructions")
		_, err = e.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "detached", Detach: true})
		require.NoError(t, err)
		for _, id := range []string{"halted", "detached"} {
			require.NoError(t, e.Terminate(ctx, id, "enough"))
			info, err := e.Get(ctx, id)
			require.NoError(t, err)
			require.Equal(t, "TerminatedError: enough", info.Error().Error())
			require.Empty(t, info.Halted)
		}
		require.NoError(t, e.Close(ctx))
		(&crashing{store: store}).check(t)
	})
}

// A run that was taken up still tells its children, whatever their IDs are.
func TestChildrenAreToldAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, ctx := new(history.Memory), t.Context()
		const script = `
			local nap = flow.workflow("nap", function() flow.sleep(1e6) end)
			flow.workflow("main", function() nap():await() end)`
		first := openHost(t, store, script)
		_, err := first.Start(ctx, "main", nil, flowlua.StartOptions{ID: "run"})
		require.NoError(t, err)
		synctest.Wait()
		first.die(t)
		next := openHost(t, store, script)
		time.Sleep(11 * time.Second)
		require.NoError(t, next.Recover(ctx))
		begun := time.Now()
		require.NoError(t, next.Cancel(ctx, "run", "enough"))
		run, err := next.Find(ctx, "run")
		require.NoError(t, err)
		require.ErrorIs(t, run.Result(ctx), flowlua.ErrCancelled)
		require.Less(t, time.Since(begun), time.Minute)
		require.NoError(t, next.Close(ctx))
		(&crashing{store: store}).check(t)
	})
}
