package explore_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/workflow/explore"
)

func TestOptionsThatAreWrong(t *testing.T) {
	for _, one := range []struct{ options, message string }{
		{`max_fault = 1`, "unknown option 'max_fault' (did you mean 'max_faults'?); an invariant is a function"},
		{`max_faults = -1`, "option 'max_faults' expects a whole number, 0 or more, got a number"},
		{`paths = "many"`, "option 'paths' expects a whole number, 0 or more, got a string"},
		{`time = 0`, "option 'time' expects seconds, got a number"},
		{`cancel = 1`, "option 'cancel' expects true or false, got a number"},
		{`invariants = { 1 }`, "option 'invariants' expects functions by name, got a number for [1]"},
		{`invariants = 1`, "option 'invariants' expects a table of functions by name, got a number"},
		{`activities = { "charge" }`, "option 'activities' expects a table { name = { … } }, got [1]"},
		{`activities = { charge = true }`, "activities.charge expects a table { returns = …, outcomes = {…}, errors = {…}, timeout = … }, got a boolean"},
		{`activities = { charge = { return_ = 1 } }`, "activities.charge: unknown option 'return_' (did you mean 'returns'?); it has returns, outcomes, errors, timeout"},
		{`activities = { charge = { outcomes = {} } }`, "activities.charge.outcomes expects a list of values"},
		{`activities = { charge = { errors = { {} } } }`, "activities.charge.errors: item 1 is no error"},
		{`activities = { charge = { errors = { 1 } } }`, "activities.charge.errors: item 1 expects the name of an error, got a number"},
		{`activities = { charge = { returns = print } }`, "activities.charge.returns"},
		{`signals = { go = 1 }`, "signals.go expects { values = {…}, args = {{…}, …}, times = n }, a list of values, or true for none, got a number"},
		{`signals = { go = { args = { 1 } } }`, "signals.go.args expects a list of lists, each with all arguments of a signal, found [1] as item 1"},
		{`signals = { go = { time = 1 } }`, "signals.go: unknown option 'time'; it has values, args, times"},
		{`signals = { go = { times = 0 } }`, "option 'signals.go.times' expects a number, 1 or more, got a number"},
		{`invariant = {}`, "option 'invariant' expects a function, got a table"},
		{`workflow = 1`, "option 'workflow' expects the name of a workflow, got a number"},
		{`1`, "expects options and invariants by name, got [1]"},
	} {
		s, err := explore.LoadScript(fstest.MapFS{"x.lua": {Data: []byte("return { " + one.options + " }")}}, "x.lua")
		require.NoError(t, err)
		require.ErrorContains(t, s.Apply(new(explore.Config)), "x.lua: "+one.message, one.options)
	}
	for source, message := range map[string]string{
		"return 1":          "expected a file that returns a table of invariants",
		"return":            "expected a file that returns a table of invariants",
		"x = = 1":           "x.lua:1",
		"error('no')":       "no",
		"while true do end": "Instructions",
	} {
		s, err := explore.LoadScript(fstest.MapFS{"x.lua": {Data: []byte(source)}}, "x.lua")
		if err == nil {
			err = s.Apply(new(explore.Config))
		}
		require.ErrorContains(t, err, message, source)
	}
}

func TestOptions(t *testing.T) {
	s, err := explore.LoadScript(fstest.MapFS{"x.lua": {Data: []byte(`return {
  workflow = "w", input = { 1, 2 }, cancel = false, crash = false, max_faults = 0, paths = 5, steps = 6, seed = 7, time = 1.5,
  activities = { charge = { returns = 1, outcomes = { 2, "x" }, errors = { "A", { name = "B", status = 400, retryable = false } }, timeout = false }, free = { errors = false } },
  signals = { go = true, stop = { 1, 2 }, wait = { values = { "x" }, times = 3 }, raise = { args = { { "Ann", 5 }, { "Bob" } } } },
  ["holds"] = function() end,
}`)}}, "x.lua")
	require.NoError(t, err)
	var c explore.Config
	require.NoError(t, s.Apply(&c))
	require.Equal(t, "w", c.Workflow)
	require.Equal(t, `[[1,2]]`, string(c.Input))
	require.True(t, c.NoCancel)
	require.True(t, c.NoCrash)
	require.Equal(t, -1, c.Faults)
	require.Equal(t, []int{5, 6, 7}, []int{c.Paths, c.Steps, int(c.Seed)})
	require.Equal(t, "1.5s", c.Time.String())
	charge := c.Activities["charge"]
	require.Equal(t, []string{"[1]", "[2]", `["x"]`}, []string{string(charge.Returns[0]), string(charge.Returns[1]), string(charge.Returns[2])})
	require.Equal(t, "A", charge.Errors[0].Name)
	require.Equal(t, 400, charge.Errors[1].Status)
	require.False(t, *charge.Errors[1].Retryable)
	require.True(t, charge.NoTimeout)
	require.True(t, c.Activities["free"].NoErrors)
	require.Equal(t, "[]", string(c.Signals["go"].Args[0]))
	require.Len(t, c.Signals["stop"].Args, 2)
	require.Equal(t, 3, c.Signals["wait"].Times)
	require.Equal(t, []string{`["Ann",5]`, `["Bob"]`}, []string{string(c.Signals["raise"].Args[0]), string(c.Signals["raise"].Args[1])})
}

func TestInvariantsThatAreWrongThemselves(t *testing.T) {
	f := breaks(t, with(t, calm(t, `a():await()`), `["counts"] = function(path) return path.activities[1].fee > 1 end`), "counts")
	require.Contains(t, f.Message, "the invariant itself is wrong: ")
	require.Contains(t, f.Message, "attempt to compare")
	f = breaks(t, with(t, calm(t, `a():await()`), `["looks"] = function(path) return path.activity end`), "looks")
	require.Contains(t, f.Message, "a path has no field 'activity'; it has workflow, input, status")
	f = breaks(t, with(t, calm(t, `a():await()`), `["says no"] = function(path) return false, "no" end`), "says no")
	require.Equal(t, "no", f.Message)
	f = breaks(t, with(t, calm(t, `a():await()`), `["hangs"] = function(path) while true do end end`), "hangs")
	require.Contains(t, f.Message, "limit Instructions")
	f = breaks(t, with(t, calm(t, `a():await()`), `["calls"] = function(path) return path.count("a") end`), "calls")
	require.Contains(t, f.Message, `call it with a colon: path:count("charge")`)
}
