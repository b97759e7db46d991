package flowlua_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

// The cases of group J of the catalogue of the Flow Framework's semantics, by number.

func TestP200HeartbeatKeepsAnActivityAlive(t *testing.T) {
	in(t, `return flow.activity("work", { heartbeat = "10s" })():await()`, func(t *testing.T, b *bed) {
		b.activity("work", func(ctx context.Context) (string, error) {
			for i := range 6 {
				time.Sleep(5 * time.Second)
				if err := flowlua.Heartbeat(ctx, i); err != nil {
					return "", err
				}
			}
			return "done", nil
		})
		require.Equal(t, `["done"]`, b.result())
	})
}

func TestP201CancelSeenAtTheNextHeartbeatAndRethrown(t *testing.T) {
	in(t, `
		local scope = flow.try {
			function() return flow.activity("work")():await() end,
			catch = { CancelledError = function(err) return "stopped" end },
		}
		flow.sleep(10)
		scope:cancel()
		return scope:await()`, func(t *testing.T, b *bed) {
		beats := 0
		b.activity("work", func(ctx context.Context) error {
			for {
				if err := flowlua.Heartbeat(ctx, beats); err != nil {
					return err
				}
				beats++
				time.Sleep(3 * time.Second)
			}
		})
		require.Equal(t, `["stopped"]`, b.result())
		require.Equal(t, 4, beats) // at 0, 3, 6, 9; the one at 12 tells
		failed := b.events(history.ActivityFailed)
		require.Len(t, failed, 1)
		require.Equal(t, "CancelledError", failed[0].Failure.Name)
	})
}

func TestP202CancelIgnoredByTheActivity(t *testing.T) {
	in(t, `
		local p
		local scope = flow.try {
			function() p = flow.activity("work")() p:await() end,
			catch = function(err) return err.name, p:get() end,
		}
		flow.sleep(1)
		scope:cancel()
		return scope:await()`, func(t *testing.T, b *bed) {
		start := time.Now()
		b.activity("work", func(ctx context.Context) (string, error) {
			<-ctx.Done()
			require.ErrorIs(t, context.Cause(ctx), flowlua.ErrCancelled)
			require.Equal(t, time.Second, time.Since(start)) // told at once, not at a heartbeat
			time.Sleep(time.Hour)
			return "finished", nil
		})
		require.Equal(t, `["CancelledError","finished"]`, b.result())
		require.Equal(t, time.Hour+time.Second, time.Since(start))
	})
}

func TestP203CancelBeforeTheScheduleDecisionLeft(t *testing.T) {
	in(t, `
		local scope = flow.try {
			function() flow.activity("work")():await() end,
			catch = function(err) return err.name end,
		}
		flow.yield() flow.yield() flow.yield()
		scope:cancel()
		return scope:await()`, func(t *testing.T, b *bed) {
		b.activity("work", func() { t.Error("was called") })
		require.Equal(t, `["CancelledError"]`, b.result())
		require.Equal(t, []history.Kind{history.RunStarted, history.RunCompleted}, b.kinds())
	})
}

func TestP204CancelWhileScheduledButNotTaken(t *testing.T) {
	inWith(t, `
		local scope = flow.try {
			function() flow.activity("work")():await() end,
			catch = function(err) return err.name end,
		}
		flow.activity("busy")()
		flow.sleep(1)
		scope:cancel()
		return scope:await(), flow.now()`, flowlua.Config{Workers: 1}, func(t *testing.T, b *bed) {
		b.activity("busy", func() { time.Sleep(time.Hour) })
		taken := 0
		b.activity("work", func(context.Context) { taken++; time.Sleep(time.Minute) })
		first, err := b.Start(t.Context(), "flow", nil, flowlua.StartOptions{ID: "first"}) // takes the only worker
		require.NoError(t, err)
		synctest.Wait()
		start := time.Now()
		run := b.start("")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		failed := b.events(history.ActivityFailed)
		require.Len(t, failed, 1)
		require.Equal(t, "CancelledError", failed[0].Failure.Name)
		require.Less(t, time.Since(start), time.Minute)
		require.NoError(t, first.Result(t.Context()))
		require.NoError(t, run.Result(t.Context()))
		require.Zero(t, taken)
	})
}

// The request comes when the activity has just ended: the real outcome counts.
func TestP205CancelRequestRejected(t *testing.T) {
	in(t, `
		local p
		local scope = flow.try {
			function() p = flow.activity("work")() p:await() end,
			catch = function(err) return err.name, p:get() end,
		}
		flow.sleep(10)           -- fires at the same time as the activity ends
		scope:cancel()
		return scope:await()`, func(t *testing.T, b *bed) {
		b.activity("work", func() (string, error) { time.Sleep(10 * time.Second); return "outcome", nil })
		run := b.start("")
		require.NoError(t, run.Result(t.Context()))
		require.Empty(t, b.events(history.ActivityFailed))
		require.Len(t, b.events(history.ActivityCompleted), 1)
	})
}

func TestP206TimeoutCarriesLastHeartbeatDetails(t *testing.T) {
	in(t, `
		local p = flow.activity("work", { heartbeat = "10s" })(...)
		local ok, err = pcall(function() p:await() end)
		return err.name, err.timeout, err.details, err.activity`, func(t *testing.T, b *bed) {
		b.activity("work", func(ctx context.Context, beats []string) error {
			for _, details := range beats {
				_ = flowlua.Heartbeat(ctx, details)
				time.Sleep(time.Second)
			}
			<-ctx.Done()
			var up *flowlua.TimeoutError
			require.ErrorAs(t, context.Cause(ctx), &up)
			require.Equal(t, "heartbeat", up.Timeout)
			require.ErrorAs(t, flowlua.Heartbeat(ctx, "late"), &up)
			return nil
		})
		require.Equal(t, `["TimeoutError","heartbeat","2","work"]`, b.result([]string{"1", "2"}))
		run, err := b.Start(t.Context(), "flow", []string{}, flowlua.StartOptions{})
		require.NoError(t, err)
		require.Equal(t, `["TimeoutError","heartbeat",null,"work"]`, b.wait(run))
	})
}

func TestP207HeartbeatsDoNotExtendStartToClose(t *testing.T) {
	in(t, `
		local before = flow.now()
		local p = flow.activity("work", { start_to_close = 5, heartbeat = 2 })()
		local ok, err = pcall(function() p:await() end)
		return err.timeout, err.details, flow.now() - before`, func(t *testing.T, b *bed) {
		b.activity("work", func(ctx context.Context) error {
			for i := 0; ; i++ {
				if flowlua.Heartbeat(ctx, i) != nil {
					return nil
				}
				time.Sleep(time.Second - time.Millisecond)
			}
		})
		require.Equal(t, `["start_to_close",5,5]`, b.result())
	})
}

func TestP208ScheduleToStartExpires(t *testing.T) {
	inWith(t, `
		local busy = flow.activity("busy")()
		local p = flow.activity("work", { schedule_to_start = "3s" })()
		local ok, err = pcall(function() p:await() end)
		busy:await()
		return err.name, err.timeout, err.details`, flowlua.Config{Workers: 1}, func(t *testing.T, b *bed) {
		b.activity("busy", func() { time.Sleep(time.Minute) })
		b.activity("work", func() { t.Error("handed out") })
		require.Equal(t, `["TimeoutError","schedule_to_start",null]`, b.result())
	})
}

func TestP209OptionMerge(t *testing.T) {
	in(t, `
		local work = flow.activity("work", { start_to_close = 20 })
		local function limit(stub)
			local before = flow.now()
			local ok, err = pcall(function() stub():await() end)
			return ok or flow.now() - before
		end
		return limit(work), limit(work:with { start_to_close = 10 }), limit(work:with { heartbeat = 50 })`, func(t *testing.T, b *bed) {
		b.activity("work", func(ctx context.Context) { <-ctx.Done() })
		require.Equal(t, `[20,10,20]`, b.result())
	})
}

func TestP210FailureTransport(t *testing.T) {
	in(t, `
		local ok, err = pcall(function() flow.activity("work")():await() end)
		return err.name, err.message, err.status, err.activity, err.details.code, err.retryable,
			err:is("ClientError"), err:is("declined"), err:is("ServerError"), tostring(err)`, func(t *testing.T, b *bed) {
		b.activity("work", func() error {
			no := false
			return &flowlua.Error{Name: "CardDeclined", Message: "no more than 100", Status: 402, Kinds: []string{"declined"},
				Details: []byte(`{"code":7}`), Retryable: &no}
		})
		require.Equal(t, `["CardDeclined","no more than 100",402,"work",7,false,true,true,false,"CardDeclined: no more than 100"]`, b.result())
	})
}

func TestP211OversizedFailureDetails(t *testing.T) {
	in(t, `flow.activity("work")():await()`, func(t *testing.T, b *bed) {
		b.activity("work", func() error { return errors.New(strings.Repeat("x", 300<<10)) })
		failed := b.failure()
		require.Equal(t, "Error", failed.Name)
		require.Less(t, len(failed.Message), 16<<10)
		require.Contains(t, failed.Message, "(307200 bytes)")
	})
}

func TestP212OneFailingActivityCancelsItsSibling(t *testing.T) {
	in(t, `flow.activity("slow")() flow.activity("fails")()`, func(t *testing.T, b *bed) {
		b.activity("slow", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		b.activity("fails", func() error { time.Sleep(time.Second); return errors.New("no") })
		require.Equal(t, "no", b.failure().Message)
		require.Equal(t, []history.Kind{
			history.RunStarted, history.ActivityScheduled, history.ActivityScheduled,
			history.ActivityFailed, history.ActivityCancelRequested,
			history.ActivityFailed, history.RunFailed,
		}, b.kinds())
	})
}

// There is one commit for what has happened and what is decided, so a completion cannot be refused. Who comes too late
// is told so.
func TestP213CompletionAndNewEvents(t *testing.T) {
	in(t, `flow.signal("go"):await() return "done"`, func(t *testing.T, b *bed) {
		run := b.start("")
		require.NoError(t, b.Signal(t.Context(), "run", "go"))
		require.Equal(t, `["done"]`, b.wait(run))
		require.ErrorIs(t, b.Signal(t.Context(), "run", "go"), flowlua.ErrNotOpen)
		require.ErrorIs(t, b.Signal(t.Context(), "nobody", "go"), flowlua.ErrNotFound)
	})
}

func TestP214SwallowedCancellationStillClosesAsCancelled(t *testing.T) {
	in(t, `
		pcall(function() flow.sleep("1h") end)
		return "finished normally"`, func(t *testing.T, b *bed) {
		run := b.start("")
		require.NoError(t, b.Cancel(t.Context(), "run", "changed my mind"))
		require.ErrorIs(t, run.Result(t.Context()), flowlua.ErrCancelled)
		info, err := b.Get(t.Context(), "run")
		require.NoError(t, err)
		require.Equal(t, history.Cancelled, info.Status)
		require.JSONEq(t, `"changed my mind"`, string(info.Failure.Reason))
	})
}

func TestP216OpenTaskBlocksCompletion(t *testing.T) {
	in(t, `
		flow.activity("slow")()
		return "result"`, func(t *testing.T, b *bed) {
		start := time.Now()
		b.activity("slow", func() { time.Sleep(time.Hour) })
		require.Equal(t, `["result"]`, b.result())
		require.Equal(t, time.Hour, time.Since(start))
	})
}

func TestP217ContinueAsNewOnlyOnNormalCompletion(t *testing.T) {
	in(t, `
		flow.spawn(function() flow.sleep(1) error("no") end)
		flow.continue_as_new()`, func(t *testing.T, b *bed) {
		require.Contains(t, b.failure().Message, "no")
		_, err := b.Get(t.Context(), "run")
		require.NoError(t, err)
	})
}

func TestP218ChildCancelledBySomeoneElse(t *testing.T) {
	in(t, `
		local child = flow.workflow("child", function() flow.sleep("1h") end)
		flow.workflow("parent", function() child:with { id = "kid" }() end)`, func(t *testing.T, b *bed) {
		run := b.start("parent")
		synctest.Wait()
		require.NoError(t, b.Cancel(t.Context(), "kid", ""))
		err := run.Result(t.Context())
		require.ErrorIs(t, err, flowlua.ErrCancelled)
		info, err := b.Get(t.Context(), "run")
		require.NoError(t, err)
		require.Equal(t, history.Failed, info.Status)
	})
}

func TestP219ChildWithAnIDThatIsOpen(t *testing.T) {
	in(t, `
		local child = flow.workflow("child", function() flow.sleep(5) return "first" end):with { id = "kid" }
		flow.workflow("parent", function()
			local first = child()
			local ok, err = pcall(function() child():await() end)
			return ok, err.name, first:await()
		end)
		flow.workflow("other", function()
			local ok, err = pcall(function() child():await() end)
			return ok, err.name, err:is("AlreadyRunning")
		end)`, func(t *testing.T, b *bed) {
		parent := b.start("parent")
		synctest.Wait()
		other, err := b.Start(t.Context(), "other", nil, flowlua.StartOptions{ID: "other"})
		require.NoError(t, err)
		require.Equal(t, `[false,"ChildWorkflowError",true]`, b.wait(other))
		require.Equal(t, `[false,"ChildWorkflowError","first"]`, b.wait(parent))
	})
}

func TestP220SignalHandlerFailureFailsTheWorkflow(t *testing.T) {
	in(t, `
		flow.on("bad", function() error("handler") end)
		flow.sleep("1h")`, func(t *testing.T, b *bed) {
		run := b.start("")
		require.NoError(t, b.Signal(t.Context(), "run", "unknown", 1))
		require.NoError(t, b.Signal(t.Context(), "run", "bad"))
		require.Contains(t, failureOf(t, run).Message, "handler")
	})
}

func TestP221EventsDuringADecisionComeAfterIt(t *testing.T) {
	in(t, `
		local one, two = flow.activity("one"), flow.activity("two")
		one():await()
		local results = flow.all { two(1), two(2) }:await()
		return results[1], results[2]`, func(t *testing.T, b *bed) {
		b.activity("one", func() {})
		b.activity("two", func(n int) int { return n })
		require.Equal(t, `[1,2]`, b.result())
	})
}

func TestP222MoreThanAHundredDecisions(t *testing.T) {
	in(t, `
		local calls, n = {}, flow.activity("n")
		for i = 1, 150 do calls[i] = n(i) end
		local sum = 0
		for _, v in ipairs(flow.all(calls):await()) do sum = sum + v end
		return sum`, func(t *testing.T, b *bed) {
		b.activity("n", func(n int) int { return n })
		require.Equal(t, `[11325]`, b.result())
		require.Len(t, b.events(history.ActivityScheduled), 150)
	})
}
