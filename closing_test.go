package flowlua_test

import (
	"context"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

// Close that gave up at a turn does not leave those who wait for a run behind, and may be called again.
func TestCloseDuringATurn(t *testing.T) {
	var hold, held chan bool
	inWith(t, `require "flow".signal("never"):await()`, flowlua.Config{Observer: flowlua.Observer{
		Turn: func(history.Ref, history.Turn) { close(held); <-hold },
	}}, func(t *testing.T, b *bed) {
		hold, held = make(chan bool), make(chan bool)
		run := b.start("")
		<-held
		for range 2 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			err := b.Close(ctx)
			cancel()
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorContains(t, err, "a turn does not end")
		}
		close(hold)
		require.ErrorIs(t, run.Result(t.Context()), flowlua.ErrClosed)
	})
}

// Close that gave up at an activity waits for it when it is called again.
func TestCloseAgain(t *testing.T) {
	in(t, `flow.activity("work")():await()`, func(t *testing.T, b *bed) {
		started := make(chan bool)
		ended := false
		b.activity("work", func() { close(started); time.Sleep(time.Hour); ended = true })
		b.start("")
		<-started
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.ErrorContains(t, b.Close(ctx), "activities that do not end: work")
		require.NoError(t, b.Close(t.Context()))
		require.True(t, ended)
	})
}

func TestCallsAfterClose(t *testing.T) {
	in(t, `flow.query("q", function() return 1 end)`, func(t *testing.T, b *bed) {
		b.result()
		require.NoError(t, b.Close(t.Context()))
		require.Equal(t, flowlua.ErrClosed, b.RegisterActivity("a", func() {}))
		require.Equal(t, flowlua.ErrClosed, b.Query(t.Context(), "run", "q", nil))
		require.Equal(t, flowlua.ErrClosed, b.Terminate(t.Context(), "run", ""))
		_, err := b.Get(t.Context(), "run")
		require.Equal(t, flowlua.ErrClosed, err)
		_, err = b.Find(t.Context(), "run")
		require.Equal(t, flowlua.ErrClosed, err)
		_, err = b.Dump(t.Context(), "run")
		require.Equal(t, flowlua.ErrClosed, err)
		for _, err := range b.List(t.Context(), history.Filter{}) {
			require.Equal(t, flowlua.ErrClosed, err)
		}
		for _, err := range b.History(t.Context(), history.Ref{ID: "run"}) {
			require.Equal(t, flowlua.ErrClosed, err)
		}
	})
}

func TestNotFound(t *testing.T) {
	e, err := flowlua.Open(":memory:", flowlua.Config{Scripts: fstest.MapFS{
		"order.lua": {Data: []byte(`local flow = require "flow"
flow.workflow("order", function() end)
flow.workflow("refund", function() end)`)},
		"old/order.lua": {Data: []byte(`local flow = require "flow"
flow.workflow("order", function() end)`)},
	}})
	require.NoError(t, err)
	defer e.Close(t.Context())
	for _, c := range []struct{ workflow, script, problem string }{
		{"ordr", "", `workflow "ordr": not found: there are order, refund (did you mean 'order'?)`},
		{"ordr", "order.lua", `order.lua declares no workflow "ordr": not found; it has order, refund`},
		{"order", "orders.lua", `script "orders.lua": not found (did you mean 'order.lua'?)`},
		{"", "nothing.lua", `script "nothing.lua": not found`},
	} {
		_, err := e.Start(t.Context(), c.workflow, nil, flowlua.StartOptions{Script: c.script})
		require.ErrorIs(t, err, flowlua.ErrNotFound, c.problem)
		require.ErrorContains(t, err, c.problem)
	}
	_, err = e.Start(t.Context(), "", nil, flowlua.StartOptions{})
	require.ErrorContains(t, err, "expected the name of a workflow, or of a script (StartOptions.Script), found neither")
	for _, err := range e.History(t.Context(), history.Ref{ID: "nobody"}) {
		require.ErrorIs(t, err, flowlua.ErrNotFound)
	}
}

// What a query gives is told as what it is an answer to.
func TestQueryIntoTheWrongType(t *testing.T) {
	in(t, `flow.query("sum", function() return 10 end)`, func(t *testing.T, b *bed) {
		b.result()
		var text string
		require.EqualError(t, b.Query(t.Context(), "run", "sum", &text),
			`flowlua: query "sum" of run "run": value 1: expected string, found a number 10`)
		require.EqualError(t, b.Query(t.Context(), "nobody", "sum", &text), `flowlua: run "nobody": not found`)
	})
}

// The details of the last heartbeat before Close are there for the attempt that another engine makes.
func TestCloseKeepsTheLastHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, ctx := new(history.Memory), t.Context()
		first := openHost(t, store, `return flow.activity("work")():await()`)
		require.NoError(t, first.RegisterActivity("work", func(ctx context.Context) error {
			for i := range 5 {
				require.NoError(t, flowlua.Heartbeat(ctx, i))
			}
			<-ctx.Done()
			return context.Cause(ctx)
		}))
		_, err := first.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run"})
		require.NoError(t, err)
		synctest.Wait()
		require.NoError(t, first.Close(ctx))
		next := openHost(t, store, ``)
		require.NoError(t, next.RegisterActivity("work", func(ctx context.Context) (n int, err error) {
			_, err = flowlua.HeartbeatDetails(ctx, &n)
			return n, err
		}))
		run, err := next.Resume(ctx, "run")
		require.NoError(t, err)
		var n int
		require.NoError(t, run.Result(ctx, &n))
		require.Equal(t, 4, n)
		require.NoError(t, next.Close(ctx))
	})
}
