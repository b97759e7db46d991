package flowlua_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
)

// TestHostileScriptsBesideGoodOnes: a run that takes more than it may stops; those beside it and after it do not notice. Where two
// limits are near each other it depends on the collector which is met first.
func TestHostileScriptsBesideGoodOnes(t *testing.T) {
	for name, c := range map[string]struct{ source, limit string }{
		"time":             {`while true do pcall(error) end`, "Instructions"},
		"memory":           {`local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1000) .. i end`, "(Memory|Instructions)"},
		"one text":         {`local s = "x" while true do s = s .. s end`, "StringBytes"},
		"list":             {`local t = {} for i = 1, 1e9 do t[i] = i end`, "TableSize"},
		"pattern":          {`("a"):rep(3000):find("a*a*a*a*b")`, "PatternSteps"},
		"print":            {`while true do print(("x"):rep(1e5)) end`, "Output"},
		"log":              {`while true do flow.log.info(("x"):rep(1e5)) end`, "Output"},
		"coroutines":       {`local t = {} while true do t[#t + 1] = coroutine.wrap(coroutine.yield) t[#t]() end`, "(Memory|Coroutines)"},
		"branches":         {`while true do flow.spawn(function() flow.sleep(1) end) end`, "(Memory|Instructions)"},
		"timers":           {`while true do flow.timer(1) end`, "(Memory|Instructions)"},
		"promises":         {`local t = {} for i = 1, 1e9 do t[i] = flow.promise() t[i]:set(("x"):rep(1000) .. i) end`, "(Memory|Instructions)"},
		"channel":          {`local c = flow.channel(1e6) for i = 1, 1e9 do c:send(("x"):rep(1000) .. i) end`, "(Memory|Instructions)"},
		"activities":       {`local work = flow.activity("work") for i = 1, 1e9 do work(("x"):rep(1000) .. i) end`, "(Memory|Instructions)"},
		"values":           {`local t = {} for i = 1, 1e3 do t[i] = ("x"):rep(100) end while true do flow.status(t) end`, "Instructions"},
		"nested values":    {`local t = {} for i = 1, 1e4 do t = { t } end flow.status(t)`, ""},
		"branch in branch": {`local function f() return flow.spawn(f):await() end f()`, "(Memory|Instructions)"},
	} {
		t.Run(name, func(t *testing.T) {
			config := flowlua.Config{}
			config.Limits.Memory = 16 << 20
			config.Limits.TableSize = 100_000
			config.Limits.Instructions = 2e7
			inOne(t, `
				flow.workflow("good", function() local n = 0 for i = 1, 10 do flow.sleep(1) n = n + i end return n end)
				flow.workflow("bad", function() flow.sleep(5) pcall(function() `+c.source+` end) error("the end") end)`, config, func(t *testing.T, b *bed) {
				b.activity("work", func(string) {})
				start := func(id, workflow string) *flowlua.Run {
					run, err := b.Start(t.Context(), workflow, nil, flowlua.StartOptions{ID: id, Script: "flow.lua"})
					require.NoError(t, err)
					return run
				}
				good, bad := start("good", "good"), start("bad", "bad")
				err := bad.Result(t.Context())
				if c.limit == "" {
					require.ErrorContains(t, err, "the end")
				} else {
					require.Regexp(t, "its limit "+c.limit+" allows", err)
				}
				var n int
				require.NoError(t, good.Result(t.Context(), &n))
				require.Equal(t, 55, n)
				require.NoError(t, start("again", "good").Result(t.Context(), &n))
			})
		})
	}
}
