package flowlua_test

import (
	"context"
	"io"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

// host is an engine of a program of its own, which can die.
type host struct {
	*flowlua.Engine
	store *mortal
	left  []error // what Observer.Left has told
}

// openHost opens one with the activities, each of which returns what it is called.
func openHost(t *testing.T, store history.Store, script string, activities ...string) *host {
	h := &host{store: newMortal(store, 0, false)}
	var err error
	h.Engine, err = flowlua.Open("", flowlua.Config{
		Store: h.store, Scripts: fstest.MapFS{"flow.lua": {Data: []byte(prelude + script)}}, Print: io.Discard,
		Observer: flowlua.Observer{Left: func(_ history.Ref, missing error) { h.left = append(h.left, missing) }},
	})
	require.NoError(t, err)
	for _, name := range activities {
		require.NoError(t, h.RegisterActivity(name, func() string { return name }))
	}
	return h
}

func (h *host) die(t *testing.T) {
	h.store.die()
	require.Error(t, h.Close(context.Background()))
}

// Who waits in Go for a run whose driver has died gets its result: the waiter's engine takes it up when the lease has ended.
func TestWaiterTakesARunOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const script = `
			local nap = flow.workflow("nap", function(d) flow.sleep(d) return "rested" end)
			flow.workflow("main", function() return nap:with { id = "child" }(30):await() end)`
		store, ctx := new(history.Memory), t.Context()
		driver, waiter := openHost(t, store, script), openHost(t, store, script)
		begun := time.Now()
		_, err := driver.Start(ctx, "main", nil, flowlua.StartOptions{ID: "run"})
		require.NoError(t, err)
		run, err := waiter.Find(ctx, "run")
		require.NoError(t, err)
		time.AfterFunc(5*time.Second, func() { driver.die(t) })
		var text string
		require.NoError(t, run.Result(ctx, &text))
		require.Equal(t, "rested", text)
		require.Equal(t, 30*time.Second, time.Since(begun), "the timer is due when it was due")
		require.NoError(t, waiter.Close(ctx))
	})
}

// A waiter whose engine misses an activity leaves the run to one that has it, for as long as a lease lasts.
func TestWaiterThatMissesAnActivity(t *testing.T) {
	const script = `
		local work = flow.activity("work")
		flow.signal("go"):await()
		return work():await()`
	for name, c := range map[string]struct {
		back time.Duration // when another that has the activity comes after the death
	}{"somebody comes": {12 * time.Second}, "nobody comes": {time.Hour}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store, ctx := new(history.Memory), t.Context()
				driver, waiter := openHost(t, store, script), openHost(t, store, script)
				forever, end := context.WithCancel(context.Background())
				require.NoError(t, driver.RegisterActivity("work", func(ctx context.Context) error {
					<-forever.Done()
					return nil
				}))
				_, err := driver.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run"})
				require.NoError(t, err)
				require.NoError(t, waiter.Signal(ctx, "run", "go"))
				run, err := waiter.Find(ctx, "run")
				require.NoError(t, err)
				synctest.Wait()
				driver.store.die() // what ends now is not written
				end()
				driver.die(t)
				next := openHost(t, store, script, "work")
				time.AfterFunc(c.back, func() { _ = next.Recover(context.Background()) })
				var text string
				err = run.Result(ctx, &text)
				if c.back == time.Hour {
					var missing *flowlua.MissingActivityError
					require.ErrorAs(t, err, &missing)
					require.Equal(t, flowlua.MissingActivityError{Run: "run", Activities: []string{"work"}}, *missing)
					info, err := waiter.Get(ctx, "run")
					require.NoError(t, err)
					require.Equal(t, history.Open, info.Status, "nothing is lost")
				} else {
					require.NoError(t, err)
					require.Equal(t, "work", text)
				}
				require.NoError(t, next.Close(ctx))
				require.NoError(t, waiter.Close(ctx))
			})
		})
	}
}

// What StartOptions.Detach leaves to engines that recover is not taken by one that waits.
func TestWaiterLeavesDetachedRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, ctx := new(history.Memory), t.Context()
		client := openHost(t, store, `return "done"`)
		run, err := client.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run", Detach: true})
		require.NoError(t, err)
		short, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
		require.ErrorIs(t, run.Result(short), context.DeadlineExceeded)
		worker := openHost(t, store, ``)
		require.NoError(t, worker.Recover(ctx))
		require.NoError(t, run.Result(ctx))
		require.NoError(t, worker.Close(ctx))
		require.NoError(t, client.Close(ctx))
	})
}
