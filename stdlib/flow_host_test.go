package stdlib

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
)

// TestFlowEvents: what a script's calls look like to the execution around it.
func TestFlowEvents(t *testing.T) {
	r := newRun(newWorld())
	defer r.close()
	_, err := r.script("test.lua", `
		local flow = require "flow"
		local act = flow.activity("act", {
			schedule_to_start = 1, start_to_close = "2s", schedule_to_close = "1m", heartbeat = 0.5, version = 2,
			retry = { initial = "1s", backoff = 3, max_interval = 9, max_attempts = 4, expiration = 60, jitter = 0.1, retry_on = { "A" }, dont_retry_on = {} },
		})
		act(1, { "a" }):await()
		flow.sleep(90)
		flow.workflow("child", print):with { id = "c-1", on_parent_close = "cancel" }("x"):await()
		flow.send("other", "hello", 1, 2):await()
		flow.spawn(function() act:with { retry = false }():await() end)
		flow.status { step = 1 }
		flow.continue_as_new("next", 2)
		flow.continue_as_new("last")
	`)
	require.NoError(t, err)
	text, err := json.Marshal(r.events)
	require.NoError(t, err)
	require.JSONEq(t, `[
		{"kind":"ActivityScheduled","op":"/1","name":"act","payload":[1,["a"]],"activity":{
			"schedule_to_start":1000000000,"start_to_close":2000000000,"schedule_to_close":60000000000,"heartbeat":500000000,"version":"2",
			"retry":{"initial":1000000000,"backoff":3,"max_interval":9000000000,"expiration":60000000000,"max_attempts":4,"jitter":0.1,"retry_on":["A"],"dont_retry_on":[]}}},
		{"kind":"TimerStarted","op":"/2","at":"2000-01-01T00:01:30Z"},
		{"kind":"ChildStarted","op":"/3","name":"child","payload":["x"],"child":{"id":"c-1","on_parent_close":"cancel"}},
		{"kind":"SignalSent","op":"/4","name":"hello","run":"other","payload":[1,2]},
		{"kind":"ActivityScheduled","op":"/5/1","name":"act","payload":[],"activity":{
			"schedule_to_start":1000000000,"start_to_close":2000000000,"schedule_to_close":60000000000,"heartbeat":500000000,"version":"2"}}
	]`, string(text))
	require.JSONEq(t, `[{"step":1}]`, string(r.status))
	require.JSONEq(t, `["last"]`, string(r.next))
}

func TestFlowDeclarations(t *testing.T) {
	r := newRun(newWorld())
	defer r.close()
	_, err := r.script("test.lua", `
		local flow = require "flow"
		flow.workflow("b", function() end)
		flow.activities { z = {}, y = { heartbeat = 1 } }
		flow.workflow("a", { id = "one" }, function() end)
		flow.activity("x", { start_to_close = 1 }, function() end)
		flow.activity("z", function() end)
	`)
	require.NoError(t, err)
	var names []string
	for _, d := range r.flow.Workflows() {
		names = append(names, d.Name)
	}
	for _, d := range r.flow.Activities() {
		names = append(names, d.Name)
		require.Equal(t, d.Name != "y", d.Fn != nil, d.Name)
	}
	require.Equal(t, []string{"b", "a", "z", "y", "x"}, names)
	a, found := r.flow.Workflow("a")
	require.True(t, found)
	require.Equal(t, "one", a.Child.ID)
	_, found = r.flow.Workflow("c")
	require.False(t, found)
}

func TestFlowQueries(t *testing.T) {
	r := newRun(newWorld())
	defer r.close()
	_, err := r.script("test.lua", `
		local flow = require "flow"
		local state = { n = 1 }
		flow.query("state", function(add) return state, state.n + (add or 0), math.random() end)
		flow.query("waits", function() flow.sleep(1) end)
		flow.query("starts", function() pcall(flow.timer, 1) return pcall(flow.activity("a")) end)
		flow.query("fails", function() error(flow.error("Low", "no")) end)
		flow.query("leaks", function() return print end)
		local gate = flow.promise()
		flow.query("changes", function() gate:set(1) end)
		flow.query("state", flow.async and function(add) return state, state.n + (add or 0) end)
		state.n = 5
	`)
	require.NoError(t, err)
	require.Equal(t, []string{"state", "waits", "starts", "fails", "leaks", "changes"}, r.flow.Queries())
	answer, err := r.flow.Query("state", json.RawMessage(`[2]`))
	require.NoError(t, err)
	require.JSONEq(t, `[{"n":5},7]`, string(answer))
	_, err = r.flow.Query("state", nil)
	require.NoError(t, err)
	_, err = r.flow.Query("waits", nil)
	require.ErrorContains(t, err, "flow.sleep cannot be used in a query, which may neither wait nor start anything")
	answer, err = r.flow.Query("starts", nil)
	require.NoError(t, err)
	require.Contains(t, string(answer), "activity 'a' cannot be used in a query")
	_, err = r.flow.Query("fails", nil)
	var e *Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "Low", e.Name)
	require.NotEmpty(t, e.Trace())
	_, err = r.flow.Query("changes", nil)
	require.ErrorContains(t, err, "promise:set cannot be used in a query, which may change nothing of the run")
	_, err = r.flow.Query("leaks", nil)
	require.ErrorContains(t, err, "result: a function cannot leave the run")
	_, err = r.flow.Query("sate", nil)
	require.EqualError(t, err, "the run answers to no query 'sate' (did you mean 'state'?); it answers to state, waits, starts, fails, leaks, changes")
}

func TestFlowLog(t *testing.T) {
	r := newRun(newWorld())
	defer r.close()
	_, err := r.script("test.lua", `
		local flow = require "flow"
		flow.log.info("packed", { items = 3, by = "Ann", ok = true, list = { 1, 2 }, f = print })
		flow.log.warn(flow.error("Lost", "parcel 7"))
		flow.log.error(5)
		flow.log.debug("d")
	`)
	require.NoError(t, err)
	require.Equal(t, []string{
		`level=INFO msg=packed items=3 by=Ann ok=true list=[1,2] f=function`, `level=WARN msg="Lost: parcel 7"`, `level=ERROR msg=5`, `level=DEBUG msg=d`,
	}, r.log)
}

// TestFlowOutOfPlace: what needs a running workflow says so where there is none.
func TestFlowOutOfPlace(t *testing.T) {
	r := newRun(newWorld())
	defer r.close()
	_, err := r.script("test.lua", `spawn = require "flow".spawn`)
	require.NoError(t, err)
	globals := r.state.Globals()
	_, err = r.state.Call(globals.RawGetString("spawn"), globals.RawGetString("print"))
	require.ErrorContains(t, err, "flow.spawn can only be used while a workflow runs: move it into the workflow's function")
}

// TestFlowSignalsAtTheEnd: a run that is ending takes no more signals, and keeps them.
func TestFlowSignalsAtTheEnd(t *testing.T) {
	r := newRun(newWorld())
	defer r.close()
	r.plan(time.Second, func() { require.NoError(t, r.flow.Signal("s", json.RawMessage(`[1]`))) })
	r.plan(3*time.Second, func() { require.NoError(t, r.flow.Signal("s", json.RawMessage(`[2]`))) })
	_, err := r.script("test.lua", `
		-- cancel: 2 enough
		local flow = require "flow"
		flow.on("s", function(n) print("signal", n) end)
		flow.try { function() flow.sleep("1h") end, finally = function() flow.sleep(5) end }
	`)
	require.EqualError(t, errorOf(err), "CancelledError: enough")
	require.Equal(t, []string{"signal\t1"}, r.printed)
	require.Error(t, r.flow.Signal("s", json.RawMessage(`not json`)))
}

// TestFlowReplay: a second run with what was recorded prints the same.
func TestFlowReplay(t *testing.T) {
	const source = `
		local flow = require "flow"
		local function show() print(flow.uuid(), math.random(1000000), flow.side_effect(function() return math.random(1000000), {} end)) end
		show()
		flow.spawn(show)
		flow.spawn(show)
		flow.sleep(1)
		show()
	`
	first := newRun(newWorld())
	defer first.close()
	_, err := first.script("test.lua", source)
	require.NoError(t, err)
	again := newRun(newWorld())
	defer again.close()
	again.recorded = first.recorded
	_, err = again.script("test.lua", source)
	require.NoError(t, err)
	require.Equal(t, first.printed, again.printed)
	require.Len(t, first.recorded, 4)
}

func TestFailuresThereAndBack(t *testing.T) {
	retryable := true
	f := &history.Failure{
		Name: "Declined", Message: "no", Kinds: []string{"Payment"}, Status: 402, Retryable: &retryable, Timeout: "heartbeat", Activity: "charge",
		Details: json.RawMessage(`{"left":3}`), Reason: json.RawMessage(`"r"`), Value: json.RawMessage(`[1]`),
		Cause: &history.Failure{Name: "Bank"}, Trace: []string{"at a.lua:1"},
	}
	r := newRun(newWorld())
	defer r.close()
	back := ToFailure(r.state, FromFailure(f))
	want := *f
	want.Kinds = []string{"Payment", "ClientError", "ServiceError"}
	require.Equal(t, &want, back)

	require.Nil(t, FromFailure(nil))
	require.Nil(t, ToFailure(r.state, nil))
	require.Equal(t, &history.Failure{Name: "Error", Message: "plain"}, ToFailure(r.state, errors.New("plain")))
	require.Equal(t, "CancelledError", ToFailure(r.state, &scheduler.Cancelled{}).Name)
	require.NotNil(t, scheduler.AsCancelled(FromFailure(&history.Failure{Name: "CancelledError"})))
	require.Nil(t, scheduler.AsCancelled(FromFailure(&history.Failure{Name: "Other", Cause: &history.Failure{Name: "CancelledError"}})))
	require.Equal(t, "CancelledError: late", FromFailure(&history.Failure{Name: "CancelledError", Reason: json.RawMessage(`"late"`)}).Error())
}

// TestFailuresAreBounded: an endless chain of causes or an endless message does not make an endless record.
func TestFailuresAreBounded(t *testing.T) {
	r := newRun(newWorld())
	defer r.close()
	e := &Error{Name: "E"}
	for range 100_000 {
		e = &Error{Name: "E", Cause: e}
	}
	e.Message = strings.Repeat("é", longestMessage)
	f := ToFailure(r.state, e)
	require.LessOrEqual(t, len(f.Message), longestMessage+len("…"))
	causes := 0
	for ; f.Cause != nil; f = f.Cause {
		causes++
	}
	require.Equal(t, deepestCause, causes)
}

func TestRetryable(t *testing.T) {
	no := false
	for _, test := range []struct {
		options history.RetryOptions
		failure history.Failure
		want    bool
	}{
		{want: true},
		{failure: history.Failure{Name: "CancelledError"}},
		{options: history.RetryOptions{RetryOn: []string{"CancelledError"}}, failure: history.Failure{Name: "CancelledError"}},
		{failure: history.Failure{Name: "A", Status: 500}, want: true},
		{failure: history.Failure{Name: "A", Status: 404}},
		{failure: history.Failure{Name: "A", Status: 429}, want: true},
		{failure: history.Failure{Name: "A", Retryable: &no}},
		{options: history.RetryOptions{RetryOn: []string{"A"}}, failure: history.Failure{Name: "A", Retryable: &no}, want: true},
		{options: history.RetryOptions{RetryOn: []string{"A"}}, failure: history.Failure{Name: "B", Kinds: []string{"A"}}, want: true},
		{options: history.RetryOptions{RetryOn: []string{}}, failure: history.Failure{Name: "A"}},
		{options: history.RetryOptions{RetryOn: []string{"A"}, DontRetryOn: []string{"K"}}, failure: history.Failure{Name: "A", Kinds: []string{"K"}}},
		{failure: history.Failure{Name: "ActivityNotFound"}},
		{failure: history.Failure{Name: "TimeoutError"}, want: true},
	} {
		require.Equal(t, test.want, Retryable(&test.options, &test.failure), "%+v", test)
	}
}

func TestSuggestions(t *testing.T) {
	known := []string{"max_attempts", "max_interval", "initial", "id"}
	for written, want := range map[string]string{
		"max_attempt": " (did you mean 'max_attempts'?)", "maxinterval": " (did you mean 'max_interval'?)", "intial": " (did you mean 'initial'?)",
		"di": " (did you mean 'id'?)", "timeout": "", "x": "", "Id": " (did you mean 'id'?)",
	} {
		require.Equal(t, want, Suggest(written, known), written)
	}
}
