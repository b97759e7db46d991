package workflow_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

func begin(t *testing.T, script string, limits vm.Limits) *workflow.Execution {
	t.Helper()
	e, err := workflow.New(workflow.Config{Program: load(t, preamble+script), Run: history.Ref{ID: "r"}, Limits: limits})
	require.NoError(t, err)
	t.Cleanup(e.Close)
	return e
}

var started = []history.Event{{Kind: history.RunStarted, Payload: []byte(`[]`)}}

func TestLimitsAreErrorsOfTheTurn(t *testing.T) {
	e := begin(t, `flow.try { function() pcall(function() while true do end end) end, catch = function() end, finally = function() print "no" end }:await()`, vm.Limits{Instructions: 100_000})
	_, err := e.Turn(time.Now(), started)
	var limit *vm.LimitError
	require.ErrorAs(t, err, &limit)
	require.Zero(t, e.Closing().Kind, "the run stays where it is")
	_, again := e.Turn(time.Now(), nil)
	require.Equal(t, err, again)
	_, again = e.Query("x", nil)
	require.Equal(t, err, again)
}

func TestBudgetIsThatOfATurn(t *testing.T) {
	e := begin(t, `for i = 1, 20 do for j = 1, 10000 do end; flow.signal("go"):await() end`, vm.Limits{Instructions: 100_000})
	_, err := e.Turn(time.Now(), started)
	require.NoError(t, err)
	for range 10 {
		_, err = e.Turn(time.Now(), []history.Event{{Kind: history.SignalReceived, Name: "go", Payload: []byte(`[]`)}})
		require.NoError(t, err)
	}
}

func TestEventsThatCannotBe(t *testing.T) {
	e := begin(t, `flow.sleep(1)`, vm.Limits{})
	_, err := e.Turn(time.Now(), []history.Event{{Kind: history.SignalReceived, Name: "go", Payload: []byte(`[]`)}})
	require.ErrorContains(t, err, "SignalReceived as event, expected RunStarted first and once")

	e = begin(t, `flow.sleep(1)`, vm.Limits{})
	_, err = e.Query("x", nil)
	require.ErrorContains(t, err, "has not begun")
	_, err = e.Turn(time.Now(), started)
	require.NoError(t, err)
	_, err = e.Turn(time.Now(), []history.Event{{Kind: history.TimerStarted, Op: "/1"}})
	require.ErrorContains(t, err, "TimerStarted /1: not an event that happens to a run")
}

func TestClosed(t *testing.T) {
	e := begin(t, `return 1`, vm.Limits{})
	_, err := e.Turn(time.Now(), started)
	require.NoError(t, err)
	require.Equal(t, history.RunCompleted, e.Closing().Kind)
	_, err = e.Turn(time.Now(), nil)
	require.ErrorIs(t, err, workflow.ErrClosed)

	e = begin(t, `flow.spawn(function() flow.sleep(5) end); flow.sleep(1)`, vm.Limits{})
	_, err = e.Turn(time.Now(), started)
	require.NoError(t, err)
	e.Close()
	e.Close()
	_, err = e.Turn(time.Now(), nil)
	require.ErrorIs(t, err, workflow.ErrClosed)
}

func TestClockThatGoesBack(t *testing.T) {
	e := begin(t, `local t0 = flow.now(); flow.signal("go"):await(); return flow.now() - t0`, vm.Limits{})
	now := time.Now()
	_, err := e.Turn(now, started)
	require.NoError(t, err)
	_, err = e.Turn(now.Add(-time.Hour), []history.Event{{Kind: history.SignalReceived, Name: "go", Payload: []byte(`[]`)}})
	require.NoError(t, err)
	require.Equal(t, `[0]`, string(e.Closing().Payload))
}

func TestMalformedPayloads(t *testing.T) {
	for _, ev := range []history.Event{
		{Kind: history.SignalReceived, Name: "go", Payload: []byte(`[`)},
		{Kind: history.CancelRequested, Payload: []byte(`{`)},
	} {
		e := begin(t, `flow.sleep(1)`, vm.Limits{})
		_, err := e.Turn(time.Now(), started)
		require.NoError(t, err)
		_, err = e.Turn(time.Now(), []history.Event{ev})
		require.ErrorContains(t, err, ev.Kind.String())
	}
}

func TestLimitsOutsideOfTheTree(t *testing.T) {
	script := `flow.query("spin", function() while true do end end); flow.query("fine", function() return 1 end); flow.signal("go"):await(); return "on"`
	e := begin(t, script, vm.Limits{Instructions: 100_000})
	_, err := e.Turn(time.Now(), started)
	require.NoError(t, err)
	var limit *vm.LimitError
	_, err = e.Query("spin", nil)
	require.ErrorAs(t, err, &limit)
	answer, err := e.Query("fine", nil)
	require.NoError(t, err, "a query cannot hurt the run")
	require.Equal(t, `[1]`, string(answer))
	_, err = e.Turn(time.Now(), []history.Event{{Kind: history.SignalReceived, Name: "go", Payload: []byte(`[]`)}})
	require.NoError(t, err)
	require.Equal(t, `["on"]`, string(e.Closing().Payload))

	e = begin(t, script, vm.Limits{Instructions: 1000})
	_, err = e.Turn(time.Now(), started)
	require.NoError(t, err)
	_, err = e.Turn(time.Now(), []history.Event{{Kind: history.SignalReceived, Name: "go", Payload: payload(t, strings.Repeat("x", 100_000))}})
	require.ErrorAs(t, err, &limit, "what a payload costs counts too")
}
