package flowlua_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/vm"
)

// mostCPU is ten times what a turn that does not end may take of the processor with the default limits. A run in a test is made
// twice, as Verify replays each turn.
const mostCPU = 4 * 2 * 10 * 100 * time.Millisecond // four times as much under the race detector

// TestHostileFlows: what workflows can do over and over within one turn pays by its time, with the limits that everybody has.
func TestHostileFlows(t *testing.T) {
	for name, source := range map[string]string{
		"branches":                `for i = 1, 1e6 do flow.spawn(function() flow.sleep(1) end) end`,
		"branches awaited":        `for i = 1, 1e6 do flow.spawn(function() end):await() end`,
		"branches in branches":    `local function f() return flow.spawn(f):await() end f()`,
		"branches left behind":    `local function f() flow.spawn(f) end f()`,
		"promises":                `local t = {} for i = 1, 1e6 do t[i] = flow.promise() t[i]:set(i) end`,
		"channels":                `for i = 1, 1e6 do flow.channel(1):send(1) end`,
		"to and fro":              `local a, b = flow.channel(), flow.channel() flow.spawn(function() while true do b:send(a:receive()) end end) while true do a:send(1) b:receive() end`,
		"signals":                 `for i = 1, 1e6 do flow.signal("x" .. i) end`,
		"timers":                  `for i = 1, 1e6 do flow.timer(i) end`,
		"timers without time":     `for i = 1, 1e6 do flow.timer(0):await() end`,
		"timers cancelled":        `for i = 1, 1e6 do flow.timer(10):cancel() end`,
		"all of huge tables":      `local t, p = {}, flow.promise() for i = 1, 5e4 do t[i] = p end for i = 1, 1e6 do flow.all(t) end`,
		"race of huge tables":     `local t, p = {}, flow.promise() for i = 1, 5e4 do t[i] = p end for i = 1, 1e6 do flow.race(t) end`,
		"try in try":              `local function f() return flow.try { function() return f() end } end f()`,
		"try over and over":       `for i = 1, 1e6 do flow.try { function() error("x") end, catch = function() end, finally = function() end }:await() end`,
		"map over a million":      `local t = {} for i = 1, 1e6 do t[i] = i end flow.map(t, function(x) return x end):await()`,
		"map over 100,000":        `local t = {} for i = 1, 1e5 do t[i] = i end flow.map(t, function(x) return x end):await()`,
		"yield":                   `while true do flow.yield() end`,
		"sleep without time":      `while true do flow.sleep(0) end`,
		"many that yield":         `for i = 1, 1000 do flow.spawn(function() while true do flow.yield() end end) end while true do flow.yield() end`,
		"side effects":            `while true do flow.side_effect(function() return 1 end) flow.uuid() end`,
		"versions":                `local i = 0 while true do i = i + 1 flow.version("x" .. i, 0, 1) end`,
		"statuses":                `while true do flow.status({1}) end`,
		"shields":                 `while true do flow.shield(function() end) end`,
		"activities":              `local work = flow.activity("work") for i = 1, 1e6 do work(i) end`,
		"declared activities":     `for i = 1, 1e6 do flow.activity("w" .. i) end`,
		"declared workflows":      `for i = 1, 1e6 do flow.workflow("w" .. i, print) end`,
		"infos":                   `while true do flow.info() end`,
		"empty lines in a log":    `while true do flow.log.info("") end`,
		"causes of causes":        `local e = "x" for i = 1, 1e6 do local _ _, e = pcall(error, flow.error("N", "m", { cause = e })) end`,
		"semaphore":               `local s = flow.semaphore(1) while true do s:acquire() s:release() end`,
		"cancelled over and over": `while true do local b = flow.spawn(function() for i = 1, 100 do flow.spawn(function() flow.sleep(1) end) end end) flow.yield() b:cancel() flow.yield() end`,
	} {
		t.Run(name, func(t *testing.T) {
			inOne(t, `flow.workflow("good", function() return 7 end)
				flow.workflow("bad", function() flow.sleep(5) `+source+` end)`, flowlua.Config{Limits: vm.Limits{Instructions: 2e6}}, func(t *testing.T, b *bed) { // a fifth of the default
				b.activity("work", func(int) {})
				before := processorTime(t)
				run, err := b.Start(t.Context(), "bad", nil, flowlua.StartOptions{ID: "bad", Script: "flow.lua"})
				require.NoError(t, err)
				err = run.Result(t.Context())
				used := processorTime(t) - before
				require.Regexp(t, "its limit (Instructions|Memory|Output) allows", err)
				require.Less(t, used, mostCPU)
				t.Logf("%v", used)
				good, err := b.Start(t.Context(), "good", nil, flowlua.StartOptions{ID: "good", Script: "flow.lua"})
				require.NoError(t, err)
				var n int
				require.NoError(t, good.Result(t.Context(), &n))
				require.Equal(t, 7, n)
			})
		})
	}
}
