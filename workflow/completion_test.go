package workflow_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow/virtual"
)

type activities = map[string]virtual.Activity

func TestCompletes(t *testing.T) {
	w := start(t, `local x, y = ...; return x + y, { done = true }`, nil, 1, 2)
	w.completes(`[3,{"done":true}]`)
	require.Equal(t, "RunCompleted", w.decisions())
}

func TestResultOfPromise(t *testing.T) {
	start(t, `return a(1)`, activities{"a": virtual.Always(virtual.Returns(7, 8))}).completes(`[7,8]`)
}

func TestFails(t *testing.T) {
	start(t, `error(flow.error("Broken", "no more", { details = { 1 } }))`, nil).fails("Broken", "no more")
	start(t, `error("plain")`, nil).fails("Error", "plain")
	start(t, `return function() end`, nil).fails("Error", "result: a function cannot leave the run")
}

func TestSequence(t *testing.T) {
	w := start(t, `local sum = 0; for i = 1, 3 do sum = sum + a(i):await() end; return sum`, activities{"a": func(c virtual.Call) virtual.Plan {
		var n int
		c.Arg(1, &n)
		return virtual.Returns(n * 10).After(time.Minute)
	}})
	w.completes(`[60]`)
	require.Equal(t, 3*time.Minute, w.Elapsed())
	require.Equal(t, "ActivityScheduled a | ActivityScheduled a | ActivityScheduled a | RunCompleted", w.decisions())
}

func TestP212OneFailingActivityCancelsItsSibling(t *testing.T) {
	w := start(t, `a(); b()`, activities{"a": virtual.Always(virtual.Hangs().Beating(9, 10*time.Second)), "b": virtual.Always(virtual.Fails("Bad", "b broke").After(time.Second))})
	w.fails("Bad", "b broke")
	require.Equal(t, "ActivityScheduled a, ActivityScheduled b | ActivityCancelRequested a | RunFailed", w.decisions())
}

func TestP214SwallowedCancellationStillClosesAsCancelled(t *testing.T) {
	w := start(t, `flow.try { function() flow.sleep(60) end, catch = function(err) print(err.name, err.reason) end }:await(); return "fine"`, nil)
	w.at(time.Second, func(r *virtual.Run) error { return r.Cancel("enough") })
	end := w.finish()
	require.Equal(t, history.RunCancelled, end.Kind)
	require.JSONEq(t, `"enough"`, string(end.Failure.Reason))
	w.printed("CancelledError\tenough")
	require.Equal(t, "TimerStarted | TimerCancelled, RunCancelled", w.decisions())
}

func TestCancelledBeforeAnythingWaits(t *testing.T) {
	w := start(t, `return 1`, nil)
	require.NoError(t, w.run.Cancel(nil))
	w.completes(`[1]`) // it ended before the request reached it
}

func TestRealFailureBeatsRequestedCancellation(t *testing.T) {
	w := start(t, `flow.try { function() flow.sleep(60) end, finally = function() error("clean-up broke") end }:await()`, nil)
	w.at(time.Second, func(r *virtual.Run) error { return r.Cancel(nil) })
	w.fails("Error", "clean-up broke")
}

func TestCancelledErrorThatNobodyRequestedFails(t *testing.T) {
	start(t, `error(flow.error("CancelledError", "just so"))`, nil).fails("CancelledError", "just so")
}

// P-215 is changed by design.md ("a function that returns a promise resolves to that promise's values"): the run waits.
func TestP215ResultThatNobodySets(t *testing.T) {
	w := start(t, `return flow.promise("never")`, nil)
	require.Zero(t, w.finish().Kind)
	require.Len(t, w.run.Turns(), 1)
}

func TestP216OpenWorkBlocksCompletion(t *testing.T) {
	w := start(t, `a(); return "early"`, activities{"a": virtual.Always(virtual.Returns().After(time.Hour))})
	w.completes(`["early"]`)
	require.Equal(t, time.Hour, w.Elapsed())
}

func TestDaemonDoesNotBlockCompletion(t *testing.T) {
	w := start(t, `flow.daemon(function() while true do flow.sleep(1) end end); flow.sleep(2.5); return "done"`, nil)
	w.completes(`["done"]`)
	require.Equal(t, 2500*time.Millisecond, w.Elapsed())
}

func TestContinueAsNew(t *testing.T) {
	w := start(t, `local n = ...; flow.sleep(1); if n < 3 then flow.continue_as_new(n + 1) end; return n, flow.info().run`, nil, 1)
	end := w.finish()
	require.Equal(t, history.RunContinued, end.Kind)
	last := w.Find("r")
	require.Equal(t, `[3,3]`, string(last.Closing().Payload))
	require.Same(t, last, w.run.Next().Next())
}

func TestP217ContinueAsNewOnlyOnNormalCompletion(t *testing.T) {
	w := start(t, `flow.continue_as_new(1); flow.spawn(function() flow.sleep(1); error("later") end)`, nil)
	w.fails("Error", "later")
	require.Nil(t, w.run.Next())

	w = start(t, `flow.continue_as_new(1); flow.sleep(10)`, nil)
	w.at(time.Second, func(r *virtual.Run) error { return r.Cancel(nil) })
	require.Equal(t, history.RunCancelled, w.finish().Kind)
}

func TestTermination(t *testing.T) {
	w := start(t, `flow.try { function() flow.sleep(60) end, finally = function() print("never") end }:await()`, nil)
	w.At(time.Second, func() { w.run.Terminate("operator") })
	w.fails("TerminatedError", "operator")
	require.Empty(t, w.out)
}

func TestStatusIsDecidedOncePerTurnAndChange(t *testing.T) {
	w := start(t, `flow.status("one"); flow.status("two"); flow.sleep(1); flow.status("two"); flow.sleep(1); flow.status({ n = 3 })`, nil)
	w.completes(`[]`)
	require.Equal(t, "TimerStarted, StatusSet | TimerStarted | StatusSet, RunCompleted", w.decisions())
	require.JSONEq(t, `[{"n":3}]`, string(w.run.Recording().Run.State))
}
