package workflow_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow/virtual"
)

const beat = 10 * time.Second

func TestP200HeartbeatKeepsAlive(t *testing.T) {
	w := start(t, `return flow.activity("h", { heartbeat = 10 })()`, activities{"h": virtual.Always(virtual.Returns("alive").After(30*time.Second).Beating(6, 5*time.Second))})
	w.completes(`["alive"]`)
	require.Equal(t, 30*time.Second, w.Elapsed())
}

func TestCancelOfRunningActivity(t *testing.T) {
	script := `local p
		local s = flow.try { function() p = a() end, catch = function(err) print("catch", err.name) end, finally = function() print("finally") end }
		flow.sleep(15); s:cancel("late"); s:await(); local ok, v = pcall(p.get, p); print(ok, ok and v); return "after"`
	for _, c := range []struct {
		name    string
		plan    virtual.Plan
		takes   time.Duration
		printed []string
	}{
		{"P-201 seen at the next heartbeat", virtual.Hangs().Beating(3, beat), 20 * time.Second, []string{"catch\tCancelledError", "finally", "false\tfalse"}},
		{"P-202 ignored: it completes, the scope is cancelled all the same", virtual.Plan{IgnoresCancel: true, Takes: 40 * time.Second, Result: []byte("[5]")}.Beating(3, beat),
			40 * time.Second, []string{"catch\tCancelledError", "finally", "true\t5"}},
		{"a real failure after the request wins", virtual.Fails("Worse", "!").After(18 * time.Second), 18 * time.Second, []string{"catch\tWorse", "finally", "false\tfalse"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := start(t, script, activities{"a": virtual.Always(c.plan)})
			w.completes(`["after"]`)
			require.Equal(t, c.takes, w.Elapsed())
			w.printed(c.printed...)
			require.Contains(t, w.decisions(), "TimerStarted, ActivityScheduled a | ActivityCancelRequested a | ")
		})
	}
}

func TestP203CancelBeforeTheDecisionLeft(t *testing.T) {
	w := start(t, `local s = flow.try { function() a(); flow.timer(60) end, catch = function(err) print(err.name) end }
		flow.yield(); flow.yield(); flow.yield(); s:cancel(); s:await(); return "gone"`, nil)
	w.completes(`["gone"]`)
	require.Equal(t, "RunCompleted", w.decisions(), "nothing was scheduled")
	w.printed("CancelledError")
}

func TestP204CancelBeforeAWorkerTookIt(t *testing.T) {
	w := start(t, `local s = flow.try { function() flow.activity("nobody", { schedule_to_start = "1h" })() end, catch = function(err) print(err.name) end }
		flow.sleep(1); s:cancel(); s:await()`, nil)
	w.completes(`[]`)
	require.Equal(t, time.Second, w.Elapsed())
}

func TestCompletionAndCancelInOneTurn(t *testing.T) {
	script := `local p; local s = flow.try { function() p = a() end, catch = function(err) return err.name end }
		%s s:cancel(); return s:await(), p:ready()`
	w := start(t, fmt.Sprintf(script, "flow.sleep(1)"), activities{"a": virtual.Always(virtual.Returns().After(time.Second))})
	w.completes(`["CancelledError",true]`) // the cancel was first: the activity is asked, and has answered already
	require.Len(t, w.run.Turns(), 2)

	w = start(t, fmt.Sprintf(script, "flow.sleep(0.5); flow.sleep(0.5)"), activities{"a": virtual.Always(virtual.Returns().After(time.Second))})
	w.completes(`[null,true]`) // the activity was first: the scope closed before the cancel
	require.Len(t, w.run.Turns(), 3)
}

func TestLateAndDoubleEventsAreIgnored(t *testing.T) {
	w := start(t, `local v = a():await(); flow.sleep(5); return v`, activities{"a": virtual.Always(virtual.Returns(1).After(time.Second))})
	op := ""
	w.At(2*time.Second, func() { op = w.run.Turns()[0].Decisions[0].Op })
	w.At(3*time.Second, func() {
		for _, ev := range []history.Event{
			{Kind: history.ActivityCompleted, Op: op, Payload: payload(t, 2)},
			{Kind: history.ActivityFailed, Op: op, Failure: &history.Failure{Name: "Late"}},
			{Kind: history.TimerFired, Op: "/99"},
		} {
			w.run.Happen(ev)
		}
	})
	w.completes(`[1]`)
	require.Len(t, w.run.Turns(), 4)
}

func TestTimeouts(t *testing.T) {
	for _, c := range []struct {
		name, options string
		activity      virtual.Activity
		which         string
		details       string
		after         time.Duration
	}{
		{"P-206 heartbeat, with the last details", `heartbeat = 10`, virtual.Always(virtual.Hangs().Beating(2, 8*time.Second)), "heartbeat", "2", 26 * time.Second},
		{"P-206 heartbeat, never reported", `heartbeat = 10`, virtual.Always(virtual.Hangs()), "heartbeat", "nil", 10 * time.Second},
		{"P-207 heartbeats do not extend start_to_close", `start_to_close = 5, heartbeat = 2`, virtual.Always(virtual.Hangs().Beating(9, time.Second)), "start_to_close", "4", 5 * time.Second},
		{"P-208 schedule_to_start", `schedule_to_start = 3`, nil, "schedule_to_start", "nil", 3 * time.Second},
		{"schedule_to_close spans attempts", `schedule_to_close = 10, start_to_close = 3, retry = { initial = 1, backoff = 1 }`, virtual.Always(virtual.Hangs()), "schedule_to_close", "nil", 10 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			plans := activities{}
			if c.activity != nil {
				plans["x"] = c.activity
			}
			w := start(t, `local ok, err = pcall(function() return flow.activity("x", { `+c.options+` })():await() end)
				return err.name, err.timeout, tostring(err.details), err.activity`, plans)
			w.completes(`["TimeoutError","` + c.which + `","` + c.details + `","x"]`)
			require.Equal(t, c.after, w.Elapsed())
		})
	}
}

func TestDeclaredRetryDoesNotGrowTheHistory(t *testing.T) {
	var seen []int
	w := start(t, `return flow.activity("x", { retry = { initial = 1, max_attempts = 4 } })()`, activities{"x": func(c virtual.Call) virtual.Plan {
		seen = append(seen, c.Attempt)
		if c.Attempt < 4 {
			return virtual.Fails("Again", "not yet")
		}
		return virtual.Returns(c.Attempt)
	}})
	w.completes(`[4]`)
	require.Equal(t, []int{1, 2, 3, 4}, seen)
	require.Equal(t, 7*time.Second, w.Elapsed())
	require.Len(t, w.run.Turns(), 2)
}

func TestDeclaredRetryRaisesTheLastFailure(t *testing.T) {
	start(t, `return flow.activity("x", { retry = { initial = 1, max_attempts = 2, dont_retry_on = { "Fatal" } } })()`,
		activities{"x": virtual.Attempts(virtual.Fails("Again", "1"), virtual.Fails("Last", "2"))}).fails("Last", "2")
	start(t, `return flow.activity("x", { retry = { initial = 1, dont_retry_on = { "Fatal" } } })()`,
		activities{"x": virtual.Attempts(virtual.Fails("Again", "1"), virtual.Fails("Fatal", "2"), virtual.Returns())}).fails("Fatal", "2")
}

// P-221: what arrives while a turn decides is another turn: A2 is scheduled before A1's completion is seen.
func TestP221EventsAfterTheDecisionsOfTheirTurn(t *testing.T) {
	w := start(t, `local p = a(1); local q = a(2); return flow.all { p, q }`, activities{"a": func(c virtual.Call) virtual.Plan { return virtual.Plan{Result: c.Args} }})
	w.completes(`[[1,2]]`)
	require.Equal(t, "ActivityScheduled a, ActivityScheduled a | RunCompleted", w.decisions())
}

func TestP222ManyDecisionsInOneTurn(t *testing.T) {
	w := start(t, `local list = {}; for i = 1, 150 do list[i] = a(i) end; return #flow.all(list):await()`,
		activities{"a": func(c virtual.Call) virtual.Plan { return virtual.Plan{Result: c.Args} }})
	w.completes(`[150]`)
	require.Len(t, w.run.Turns()[0].Decisions, 150)
}

func TestP228SiblingCancelledOnFailure(t *testing.T) {
	w := start(t, `print "root started"
		local s = flow.try { function()
			flow.spawn(function() print "thread1 started"; local ok, err = pcall(flow.sleep, 3600); print("thread1 exception: " .. err.name); print "thread1 done" end)
			flow.spawn(function() print "thread2 started"; print "thread2 done"; error("simulated") end)
		end, catch = function() end }
		s:await(); print "root done"`, nil)
	w.completes(`[]`)
	w.printed("root started", "thread1 started", "thread2 started", "thread2 done", "thread1 exception: CancelledError", "thread1 done", "root done")
	require.Zero(t, w.Elapsed())
}

// P-227 is changed by rule 5: the branch is cancelled for good.
func TestP227InterruptingABlockedBranch(t *testing.T) {
	w := start(t, `print "root started"
		local child = flow.spawn(function()
			print "child started"; flow.sleep(0.5); print "child after1"
			local ok, err = pcall(function() flow.promise():await() end); print("child interrupted", err.name)
			ok, err = pcall(flow.sleep, 1); print("child done", err.name)
		end)
		print "root blocked"; flow.sleep(1); print "root waiting for join"; child:cancel(); child:await(); print "root done"`, nil)
	w.completes(`[]`)
	w.printed("root started", "root blocked", "child started", "child after1", "root waiting for join",
		"child interrupted\tCancelledError", "child done\tCancelledError", "root done")
}

func TestManyBranches(t *testing.T) {
	w := virtual.New(virtual.Config{Trust: true, Program: load(t, preamble+`
		local sum, list = 0, {}
		for i = 1, 10000 do list[i] = flow.spawn(function() local v = a(i):await(); sum = sum + v end) end
		flow.all(list):await(); return sum`),
		Activities: activities{"a": func(c virtual.Call) virtual.Plan { return virtual.Plan{Result: c.Args, Takes: time.Minute} }}})
	defer w.Close()
	run, err := w.Start("r", "")
	require.NoError(t, err)
	require.NoError(t, w.Run())
	require.Equal(t, `[50005000]`, string(run.Closing().Payload))
	require.Len(t, run.Turns(), 2)
}
