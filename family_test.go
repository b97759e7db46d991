package flowlua_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

func TestChildResultAndFailure(t *testing.T) {
	in(t, `
		local ship = flow.workflow("ship", function(item)
			if item == "none" then error(flow.error("OutOfStock", "no pens", { status = 409 })) end
			return item .. " shipped", flow.info().parent
		end)
		flow.workflow("order", function()
			local text, parent = ship("book"):await()
			local ok, err = pcall(function() ship("none"):await() end)
			return text, parent, err.name, err.cause.name, err.cause.message, err.cause.status
		end)`, func(t *testing.T, b *bed) {
		require.Equal(t, `["book shipped","run","ChildWorkflowError","OutOfStock","no pens",409]`, b.wait(b.start("order")))
		var ids []string
		for info, err := range b.List(t.Context(), history.Filter{Parent: "run"}) {
			require.NoError(t, err)
			ids = append(ids, info.ID)
		}
		require.Len(t, ids, 2)
	})
}

func TestChildIsCancelledWithItsScope(t *testing.T) {
	in(t, `
		local child = flow.workflow("child", function()
			flow.try {
				function() flow.sleep("1h") end,
				finally = function() flow.sleep(5) end,
			}
		end):with { id = "kid" }
		flow.workflow("parent", function()
			local scope = flow.try {
				function() child() end,
				catch = function(err) return err.name, flow.now() end,
			}
			local before = flow.now()
			flow.sleep(10)
			scope:cancel("enough")
			local name, now = scope:await()
			return name, now - before
		end)`, func(t *testing.T, b *bed) {
		require.Equal(t, `["CancelledError",15]`, b.wait(b.start("parent")))
		info, err := b.Get(t.Context(), "kid")
		require.NoError(t, err)
		require.Equal(t, history.Cancelled, info.Status)
		require.JSONEq(t, `"enough"`, string(info.Failure.Reason))
	})
}

func TestOnParentClose(t *testing.T) {
	for policy, c := range map[string]struct {
		status history.Status
		name   string
	}{
		"terminate": {history.Failed, "TerminatedError"},
		"cancel":    {history.Cancelled, "CancelledError"},
		"abandon":   {history.Completed, ""},
	} {
		t.Run(policy, func(t *testing.T) {
			in(t, `
				local child = flow.workflow("child", function() flow.sleep("1h") end):with { id = "kid", on_parent_close = "`+policy+`" }
				flow.workflow("parent", function() child() end)`, func(t *testing.T, b *bed) {
				run := b.start("parent")
				time.Sleep(time.Second)
				kid, err := b.Find(t.Context(), "kid")
				require.NoError(t, err)
				require.NoError(t, b.Terminate(t.Context(), "run", "operator"))
				failed := failureOf(t, run)
				require.Equal(t, "TerminatedError", failed.Name)
				require.Equal(t, "operator", failed.Message)
				<-kid.Done()
				info, err := b.Get(t.Context(), "kid")
				require.NoError(t, err)
				require.Equal(t, c.status, info.Status)
				if c.name != "" {
					require.Equal(t, c.name, info.Failure.Name)
				}
			})
		})
	}
}

func TestTerminateStopsActivities(t *testing.T) {
	in(t, `flow.try { function() flow.activity("work")() end, finally = function() print "no" end }`, func(t *testing.T, b *bed) {
		stopped := make(chan error, 1)
		b.activity("work", func(ctx context.Context) { <-ctx.Done(); stopped <- context.Cause(ctx) })
		run := b.start("")
		synctest.Wait()
		require.NoError(t, b.Terminate(t.Context(), "run", "now"))
		require.Error(t, run.Result(t.Context()))
		require.ErrorContains(t, <-stopped, "has ended")
		require.Empty(t, b.printed.String())
		require.ErrorIs(t, b.Terminate(t.Context(), "run", "again"), flowlua.ErrNotOpen)
	})
}

func TestSignalsBetweenRuns(t *testing.T) {
	in(t, `
		flow.workflow("receiver", function() return flow.signal("hello"):await() end)
		flow.workflow("sender", function(to)
			local ok, err = pcall(function() flow.send(to, "hello", "there", 1):await() end)
			return ok, not ok and err.name or nil
		end)`, func(t *testing.T, b *bed) {
		receiver, err := b.Start(t.Context(), "receiver", nil, flowlua.StartOptions{ID: "r"})
		require.NoError(t, err)
		require.Equal(t, `[true]`, trimmed(b.wait(b.start("sender", "r"))))
		require.Equal(t, `["there",1]`, b.wait(receiver))
		for _, to := range []string{"r", "nobody"} {
			sender, err := b.Start(t.Context(), "sender", to, flowlua.StartOptions{})
			require.NoError(t, err)
			require.Equal(t, `[false,"SignalError"]`, b.wait(sender))
		}
	})
}

// trimmed is without the nils at the end, which may or may not be written.
func trimmed(array string) string {
	var values []any
	if json.Unmarshal([]byte(array), &values) != nil {
		return array
	}
	for len(values) > 0 && values[len(values)-1] == nil {
		values = values[:len(values)-1]
	}
	text, _ := json.Marshal(values)
	return string(text)
}

func TestContinueAsNew(t *testing.T) {
	in(t, `
		flow.workflow("count", function(n)
			print(flow.info().run, n)
			if n < 3 then
				flow.continue_as_new(n + 1)
				return
			end
			return "done", n
		end)
		flow.workflow("parent", function() return flow.workflow("count")(1):await() end)`, func(t *testing.T, b *bed) {
		run := b.start("count", 1)
		var text string
		require.NoError(t, run.Result(t.Context(), &text))
		require.Equal(t, "done", text)
		require.Equal(t, "1\t1\n2\t2\n3\t3\n", b.printed.String())
		info, err := b.Get(t.Context(), "run")
		require.NoError(t, err)
		require.Equal(t, history.Ref{ID: "run", Number: 3}, info.Ref)
		var turns int
		for range b.History(t.Context(), info.Ref) {
			turns++
		}
		require.Equal(t, 1, turns)
	})
}

// What nobody has taken when a run is continued as new is there for the next.
func TestSignalsOutliveContinueAsNew(t *testing.T) {
	in(t, `
		flow.workflow("account", function(sum, n)
			local add = flow.signal("add"):await()
			flow.sleep(1)                  -- more come meanwhile
			if n == 1 then return sum + add end
			flow.continue_as_new(sum + add, n - 1)
		end)`, func(t *testing.T, b *bed) {
		run := b.start("account", 0, 10)
		for i := range 10 {
			require.NoError(t, b.Signal(t.Context(), "run", "add", i+1))
			if i%3 == 0 {
				time.Sleep(700 * time.Millisecond)
			}
		}
		var sum int
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if err := run.Result(ctx, &sum); err != nil {
			for n := 1; n <= 10; n++ {
				for turn, err := range b.History(t.Context(), history.Ref{ID: "run", Number: n}) {
					t.Logf("%d: %+v %v", n, turn, err)
				}
			}
			nodes, err := b.Dump(t.Context(), "run")
			t.Logf("%+v %v", nodes, err)
			t.Log(b.log.String())
			require.NoError(t, context.DeadlineExceeded)
		}
		require.Equal(t, 55, sum)
		info, err := b.Get(t.Context(), "run")
		require.NoError(t, err)
		require.Equal(t, 10, info.Number)
	})
}

func TestParentWaitsForTheLastOfItsChildren(t *testing.T) {
	in(t, `
		local count = flow.workflow("count", function(n)
			flow.sleep(1)
			if n < 3 then flow.continue_as_new(n + 1) return end
			return n
		end)
		flow.workflow("parent", function() return count(1):await() end)`, func(t *testing.T, b *bed) {
		require.Equal(t, `[3]`, b.wait(b.start("parent")))
	})
}

func TestQueryStatusAndDump(t *testing.T) {
	in(t, `
		local progress = 0
		flow.query("progress", function(unit) return progress .. (unit or "") end)
		flow.query("broken", function() error("no") end)
		flow.query("waits", function() flow.sleep(1) end)
		for i = 1, 3 do
			progress = i
			flow.status { step = i }
			flow.sleep("1h")
		end`, func(t *testing.T, b *bed) {
		run := b.start("")
		time.Sleep(90 * time.Minute)
		var text string
		require.NoError(t, b.Query(t.Context(), "run", "progress", &text, "%"))
		require.Equal(t, "2%", text)
		require.ErrorContains(t, b.Query(t.Context(), "run", "broken", nil), "no")
		require.Error(t, b.Query(t.Context(), "run", "waits", nil))
		require.ErrorContains(t, b.Query(t.Context(), "run", "progres", nil), "progress")
		require.ErrorIs(t, b.Query(t.Context(), "nobody", "progress", nil), flowlua.ErrNotFound)
		info, err := b.Get(t.Context(), "run")
		require.NoError(t, err)
		require.JSONEq(t, `[{"step":2}]`, string(info.State))
		nodes, err := b.Dump(t.Context(), "run")
		require.NoError(t, err)
		require.NotEmpty(t, nodes)

		require.NoError(t, run.Result(t.Context()))
		require.NoError(t, b.Query(t.Context(), "run", "progress", &text)) // of a run that has ended, by replay
		require.Equal(t, "3", text)
		nodes, err = b.Dump(t.Context(), "run")
		require.NoError(t, err)
		require.Empty(t, nodes)
	})
}

func TestStartErrors(t *testing.T) {
	in(t, `flow.workflow("order", function() flow.sleep(1) end)`, func(t *testing.T, b *bed) {
		run, err := b.Start(t.Context(), "order", nil, flowlua.StartOptions{ID: "x"})
		require.NoError(t, err)
		_, err = b.Start(t.Context(), "order", nil, flowlua.StartOptions{ID: "x"})
		require.ErrorIs(t, err, flowlua.ErrAlreadyExists)
		require.NoError(t, run.Result(t.Context()))
		_, err = b.Start(t.Context(), "order", nil, flowlua.StartOptions{ID: "x"})
		require.ErrorIs(t, err, flowlua.ErrAlreadyExists)
		_, err = b.Start(t.Context(), "oder", nil, flowlua.StartOptions{})
		require.ErrorIs(t, err, flowlua.ErrNotFound)
		require.ErrorContains(t, err, "did you mean 'order'?")
		_, err = b.Start(t.Context(), "order", nil, flowlua.StartOptions{Script: "none.lua"})
		require.ErrorContains(t, err, "none.lua")
		_, err = b.Start(t.Context(), "order", make(chan int), flowlua.StartOptions{})
		require.ErrorContains(t, err, "input: value 1 (chan int) cannot be carried as JSON")
		_, err = b.Find(t.Context(), "nobody")
		require.ErrorIs(t, err, flowlua.ErrNotFound)

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		run, err = b.Start(t.Context(), "order", nil, flowlua.StartOptions{})
		require.NoError(t, err)
		require.ErrorIs(t, run.Result(ctx), context.Canceled)
		require.NoError(t, run.Result(t.Context()))
		var n []int
		run, err = b.Start(t.Context(), "order", nil, flowlua.StartOptions{})
		require.NoError(t, err)
		require.NoError(t, run.Result(t.Context(), &n)) // no result: left alone
	})
}

// A limit is not the script's to handle: the run stops where it is.
func TestEngineErrorStopsTheRun(t *testing.T) {
	config := flowlua.Config{}
	config.Limits.Instructions = 100_000
	inWith(t, `
		flow.sleep(1)
		pcall(function() while true do end end)
		return "not reached"`, config, func(t *testing.T, b *bed) {
		err := b.start("").Result(t.Context())
		require.ErrorContains(t, err, "Instructions")
		var failed *flowlua.Error
		require.False(t, errors.As(err, &failed))
		info, err := b.Get(t.Context(), "run")
		require.NoError(t, err)
		require.Equal(t, history.Open, info.Status) // nothing is lost
		require.EqualValues(t, 1, info.Turns)
	})
}

func TestCausesOfAnError(t *testing.T) {
	in(t, `
		local ok, cancelled = pcall(function() local p = flow.timer("1h") p:cancel() p:await() end)
		error(flow.error("PaymentFailed", "no", { cause = cancelled }))`, func(t *testing.T, b *bed) {
		failed := b.failure()
		require.Equal(t, "PaymentFailed", failed.Name)
		require.Equal(t, "CancelledError", failed.Cause.Name)
		require.Equal(t, failed.Cause, errors.Unwrap(failed))
		require.NotErrorIs(t, failed, flowlua.ErrCancelled) // it failed
		require.NotEmpty(t, failed.Stack)
	})
}

func TestOpenRefusesFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "orders.db")
	require.NoError(t, os.WriteFile(file, []byte("not a database, but long enough to be looked at as if it were one ......"), 0o600))
	_, err := flowlua.Open(file, flowlua.Config{})
	require.ErrorContains(t, err, file)
	_, err = flowlua.Open("", flowlua.Config{})
	require.EqualError(t, err, `flowlua: open: expected the path of a database file, got ""; ":memory:" keeps runs only as long as the engine is open`)
}

func TestOpenSynchronous(t *testing.T) {
	for option, message := range map[string]string{"": "", "full": "", "normal": "", "off": "off"} {
		e, err := flowlua.Open(filepath.Join(t.TempDir(), "runs.db"), flowlua.Config{Synchronous: option})
		if message != "" {
			require.ErrorContains(t, err, message)
			continue
		}
		require.NoError(t, err)
		require.NoError(t, e.Close(t.Context()))
	}
}

func TestRegisterActivity(t *testing.T) {
	e, err := flowlua.Open(":memory:", flowlua.Config{})
	require.NoError(t, err)
	defer e.Close(t.Context())
	require.NoError(t, e.RegisterActivity("a", func() {}))
	require.ErrorIs(t, e.RegisterActivity("a", func() {}), flowlua.ErrAlreadyExists)
	require.ErrorContains(t, e.RegisterActivity("b", func(chan int) {}), "a channel cannot be carried as JSON")
	_, err = e.Start(t.Context(), "x", nil, flowlua.StartOptions{})
	require.ErrorContains(t, err, "Config.Scripts")
}
