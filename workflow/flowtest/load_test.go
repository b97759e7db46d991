package flowtest_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow/flowtest"
)

func files(spec string) fstest.MapFS { return fstest.MapFS{"x_spec.lua": {Data: []byte(spec)}} }

func TestLoadErrors(t *testing.T) {
	for spec, want := range map[string]string{
		"x = = 1":                                   "unexpected symbol near '='",
		"local x = require 'nowhere'":               "module 'nowhere' not found",
		"describe('a', 1)":                          "describe expects a function as argument #2, got number 1",
		"describe()":                                "describe expects what is described as argument #1, got nil",
		"it(1)":                                     "it expects what is tested as argument #1, got number 1",
		"before_each(nil)":                          "before_each expects a function as argument #1, got nil",
		"finally(print)":                            "finally is used inside of a test; for all tests of a block there is after_each",
		"require('flow').sleep(1)":                  "flow.sleep cannot be used in the top level of a spec file",
		"require('flow').test.start('x')":           "flow.test.start can only be used in a test",
		"require('flow').test.strat('x')":           "flow.test has no 'strat' (did you mean 'start'?)",
		"describe('a', function() error('no') end)": "no",
	} {
		_, err := flowtest.Load(files(spec), "x_spec.lua")
		require.ErrorContains(t, err, want, spec)
	}
	_, err := flowtest.Load(files(""), "y_spec.lua")
	require.ErrorContains(t, err, "file does not exist")
}

// TestOutside: only spec files have flow.test.
func TestOutside(t *testing.T) {
	fsys := files(`it("x", function() require("flow").test.start("y.lua"):result() end)`)
	fsys["y.lua"] = &fstest.MapFile{Data: []byte(`require("flow").test.start("x")`)}
	results := run(t, fsys, "x_spec.lua")
	require.Contains(t, results[0].Failure.Message, "flow has no 'test'; it is there in spec files, which flowlua test runs")
}

// TestUnwise: a file that declares other tests than when it was loaded.
func TestUnwise(t *testing.T) {
	results := run(t, files(`if not require("flow").info().id:find("test") then it("only when it is loaded", function() end) end`), "x_spec.lua")
	require.Len(t, results, 1)
	require.Contains(t, results[0].Failure.Message, "the file declares 0 tests this time, and not number 1")
}

// TestAfterFailure: what is to run after a test runs, however that has ended, and the first failure counts.
func TestAfterFailure(t *testing.T) {
	results := run(t, files(`
		after_each(function() print("after") error("in after_each") end)
		teardown(function() print("teardown") end)
		it("fails", function() finally(function() print("finally") end) error("in the test") end)
		it("passes until then", function() end)
		before_each(function() print("before") end)
		it("is pending", function() pending("later") end)`), "x_spec.lua")
	require.Equal(t, "in the test", results[0].Failure.Message)
	require.Equal(t, []string{"before", "finally", "after", "teardown", "what cleans up has failed, too: in after_each"}, results[0].Printed)
	require.Equal(t, "in after_each", results[1].Failure.Message)
	require.Equal(t, flowtest.Failed, results[2].Status, "a failure of after_each is one of a pending test")
}

func TestLimits(t *testing.T) {
	file, err := flowtest.Load(files(`it("spins", function() while true do end end) it("runs", function() for i = 1, 1e5 do end end)`), "x_spec.lua")
	require.NoError(t, err)
	r := file.Run(file.Tests[0], flowtest.Config{})
	require.Contains(t, r.Failure.Message, "the script used more than its limit Instructions allows")
	require.Equal(t, "at x_spec.lua:1", r.Failure.Trace[0])
	r = file.Run(file.Tests[1], flowtest.Config{Limits: vm.Limits{Instructions: 1e4}})
	require.Contains(t, r.Failure.Message, "(10000 in one turn")
}

func TestTurns(t *testing.T) {
	file, err := flowtest.Load(files(`local flow = require "flow" it("goes on", function() for i = 1, 20 do flow.sleep(1) end end)`), "x_spec.lua")
	require.NoError(t, err)
	r := file.Run(file.Tests[0], flowtest.Config{Turns: 10})
	require.Contains(t, r.Failure.Message, "the test does not end: its runs have made 10 turns, and it is 10s later")
	require.Equal(t, flowtest.Passed, file.Run(file.Tests[0], flowtest.Config{Turns: 30}).Status)
}

func TestCover(t *testing.T) {
	fsys := files("local flow = require 'flow'\nit('runs', function()\n  flow.test.start('w.lua', 3):result()\nend)")
	fsys["w.lua"] = &fstest.MapFile{Data: []byte("local flow = require 'flow'\nlocal n = ...\nfor i = 1, n do\n  flow.sleep(1)\nend\nif n > 5 then\n  error('never')\nend\nreturn n\n")}
	file, err := flowtest.Load(fsys, "x_spec.lua")
	require.NoError(t, err)
	ran := map[string]map[int]int{}
	r := file.Run(file.Tests[0], flowtest.Config{Cover: func(name string, lines map[int]int) { ran[name] = lines }})
	require.Equal(t, flowtest.Passed, r.Status)
	require.Equal(t, 3, ran["w.lua"][4], "replays do not count")
	require.Zero(t, ran["w.lua"][7])
	require.Equal(t, map[string][]int{"w.lua": {1, 2, 3, 4, 6, 7, 9}}, file.Lines())
}
