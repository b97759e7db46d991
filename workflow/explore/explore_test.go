package explore_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow/explore"
)

const preamble = `local flow = require "flow"; local a, b, c = flow.activity("a"), flow.activity("b"), flow.activity("c") `

// calm is a configuration in which nothing goes wrong by itself: only the order is left.
func calm(t testing.TB, script string) explore.Config {
	t.Helper()
	return explore.Config{Program: load(t, preamble+script), Faults: -1, NoCancel: true, NoCrash: true, Workers: 1}
}

// wild is the usual configuration.
func wild(t testing.TB, script string) explore.Config {
	t.Helper()
	return explore.Config{Program: load(t, preamble+script), Workers: 1}
}

// with adds invariants in Lua.
func with(t testing.TB, c explore.Config, options string) explore.Config {
	t.Helper()
	s, err := explore.LoadScript(fstest.MapFS{"invariants.lua": {Data: []byte("return { " + options + " }")}}, "invariants.lua")
	require.NoError(t, err)
	require.NoError(t, s.Apply(&c))
	return c
}

func run(t testing.TB, c explore.Config) *explore.Report {
	t.Helper()
	r, err := explore.Explore(context.Background(), c)
	require.NoError(t, err)
	return r
}

// holds expects that nothing is broken, and all was looked at.
func holds(t testing.TB, c explore.Config) *explore.Report {
	t.Helper()
	r := run(t, c)
	for _, f := range r.Failures {
		t.Fatalf("%s: %s\n%s", f.Invariant, f.Message, f.Text)
	}
	require.True(t, r.Exhaustive)
	return r
}

// breaks expects one broken invariant, and gives its path.
func breaks(t testing.TB, c explore.Config, invariant string) *explore.Failure {
	t.Helper()
	r := run(t, c)
	require.NotEmpty(t, r.Failures, "%d paths", r.Paths)
	require.Equal(t, invariant, r.Failures[0].Invariant, r.Failures[0].Text)
	return r.Failures[0]
}

func TestOrders(t *testing.T) {
	require.Equal(t, 6, holds(t, calm(t, `return flow.all { a(), b(), c() }:await()`)).Paths, "3! orders")
	require.Equal(t, 1, holds(t, calm(t, `a():await() b():await() c():await()`)).Paths, "one after the other")
	seen := map[string]bool{}
	c := calm(t, `local list = {}
local function add(p, name) return flow.spawn(function() p:await() list[#list + 1] = name end) end
flow.all { add(a(), "a"), add(b(), "b"), add(c(), "c") }:await()
return table.concat(list)`)
	c.Judges = func() (explore.Judge, error) {
		return judge(func(p *explore.Path) { seen[string(p.Closing.Payload)] = true }), nil
	}
	holds(t, c)
	require.Len(t, seen, 6)
}

// judge looks at paths.
type judge func(*explore.Path)

func (j judge) Judge(p *explore.Path) ([]explore.Violation, error) {
	j(p)
	return nil, nil
}
func (judge) Close() {}

func TestTimersAgainstActivities(t *testing.T) {
	c := with(t, calm(t, `return (flow.race { a(), flow.timer("1h", "late") }:await())`), `invariant = function(path)
  if path.result == "late" then error("late after " .. path.elapsed) end
end`)
	f := breaks(t, c, "invariant")
	require.Equal(t, "late after 3600", f.Message)
	require.Equal(t, "invariants.lua:2", f.Where)
}

func TestTimeoutsComeBeforeLaterTimers(t *testing.T) {
	holds(t, with(t, wild(t, `local slow = flow.activity("slow", { start_to_close = "10s" })
local p = slow()
flow.race { p:outcome(), flow.timer("1m") }:await()`), `invariant = function(path)
  for _, call in ipairs(path.activities) do assert(call.ended <= 10) end
end`))
}

func TestAttempts(t *testing.T) {
	c := wild(t, `flow.activity("x", { start_to_close = "1s", retry = { initial = "1s", max_attempts = 2 } })():await()`)
	outcomes := map[string]bool{}
	c.Judges = func() (explore.Judge, error) {
		return judge(func(p *explore.Path) {
			var list []string
			for _, attempt := range p.Calls[0].Attempts {
				text := attempt.Outcome
				if attempt.Worked {
					text += "!"
				}
				list = append(list, text)
			}
			outcomes[strings.Join(list, ", ")] = true
		}), nil
	}
	holds(t, c)
	for _, want := range []string{"completed!", "failed, completed!", "failed, failed", "timed out, completed!", "timed out!, completed!", "timed out!, timed out!",
		"crashed!, completed!", "crashed!, failed, completed!", "failed, crashed!, completed!", "cancelled"} {
		require.Contains(t, outcomes, want)
	}
}

func TestCrashDoesWorkTwice(t *testing.T) {
	script := `a():await()`
	f := breaks(t, with(t, wild(t, script), `["once"] = function(path) assert(path:count("a") < 2, "twice") end`), "once")
	require.Equal(t, "twice", f.Message)
	require.Contains(t, f.Text, "* 2  0s  the process crashes: a, attempt 1, has done its work, but that is not recorded")
	c := with(t, wild(t, script), `["once"] = function(path) assert(path:count("a") < 2, "twice") end`)
	c.NoCrash = true
	holds(t, c)
}

func TestFaultsAreBounded(t *testing.T) {
	script := `for i = 1, 4 do a(i):outcome():await() end`
	most := func(faults int) string {
		c := with(t, wild(t, script), `invariant = function(path)
  local n = 0
  for _, call in ipairs(path.activities) do if call.outcome == "failed" then n = n + 1 end end
  assert(n < 4, "all")
  assert(path.faults <= `+"3"+`)
end`)
		c.Faults, c.NoCancel = faults, true
		if r := run(t, c); len(r.Failures) > 0 {
			return r.Failures[0].Path.Choices.String()
		}
		return ""
	}
	require.Empty(t, most(1))
	require.Equal(t, "1.1,2.2", most(2), "a second failure of the same activity counts for one, and all later calls may fail with it")
}

func TestCleanUpIsExpectedToWork(t *testing.T) {
	c := with(t, wild(t, `return flow.try { function() a():await() end, finally = function() b():await() end }`),
		`invariant = function(path) assert(path:count("b") > 0) end`)
	c.NoCancel = true
	holds(t, c)
	c.Faults = 3
	require.Equal(t, "2.1", breaks(t, c, "invariant").Path.Choices.String())
}

func TestSignalsComeEarly(t *testing.T) {
	f := breaks(t, with(t, calm(t, `a():await() return flow.signal("go"):await()`), `invariant = function(path)
  assert(path.signals[1].step > path.activities[1].step + 1, "early")
end`), "invariant")
	require.Equal(t, "early", f.Message)
}

func TestSignalsThatStayAway(t *testing.T) {
	c := with(t, calm(t, `local s = flow.signal("go") while true do s:await() end`), `invariant = function(path)
  assert(path.status == "open" and not path.stuck and path.awaits[1] == "go" and #path.signals == 2)
end`)
	holds(t, c)
}

func TestChildrenAndSuccessors(t *testing.T) {
	c := calm(t, `
local child = flow.workflow("child", function(n) return a(n):await() and n + 1 end)
flow.workflow("main", function(n)
  if n > 2 then return n end
  flow.continue_as_new(child(n):await())
end)`)
	c.Workflow, c.Input = "main", []byte(`[1]`)
	c = with(t, c, `invariant = function(path) assert(path.result == 3 and #path.activities == 2) end`)
	holds(t, c)
}

func TestStatusesAndFinallies(t *testing.T) {
	holds(t, with(t, wild(t, `flow.status("one")
return flow.try { function() a():await() flow.status { two = 2 } end, finally = function() flow.status("end") end }`), `invariant = function(path)
  assert(path.statuses[1] == "one" and (path.statuses[#path.statuses] == "end" or path.cancelled))
  for _, f in ipairs(path.finally) do assert(f.source == "main.lua" and f.line == 2 and f.tried == 1 and f.ran == 1) end
end`))
}

func TestCut(t *testing.T) {
	c := calm(t, `while true do flow.sleep("1h") end`)
	c.Steps = 10
	require.Equal(t, 1, run(t, with(t, c, `invariant = function(path) assert(path.cut and path.elapsed == 36000) end`)).Cut)
}

// TestEndless: what goes on and on without anything from outside is cut off, too, and no path takes longer than there is time.
func TestEndless(t *testing.T) {
	for name, script := range map[string]string{
		"continued": `return flow.continue_as_new((... or 0) + 1)`,
		"children":  `local child child = flow.workflow("child", function() return child():await() end) return child():await()`,
	} {
		t.Run(name, func(t *testing.T) {
			c := calm(t, script)
			c.Steps = 10
			require.Equal(t, 1, run(t, c).Cut)
			c.Steps, c.Time = 1e9, 50*time.Millisecond
			r := run(t, c)
			require.Equal(t, "out of time", r.Ended)
			require.Zero(t, r.Paths, "a path that is not made to its end does not count")
		})
	}
}

// TestBasics are the invariants of every run.
func TestBasics(t *testing.T) {
	for _, one := range []struct{ invariant, script, message string }{
		{explore.Ends, `local p = flow.promise("never") a():await() p:await()`, "nothing is left that could happen, and the run is open"},
		{explore.NoScriptError, `return flow.try { function() return a():await() end, catch = function(err) return 1 + err.details end }`, "attempt to perform arithmetic on field 'details'"},
		{explore.EngineError, `a():await() while true do end`, "used more than its limit Instructions allows"},
		{explore.Replays, `a():await() if not flow.info().replaying then b():await() end c():await()`, "does not decide again what it has decided"},
	} {
		t.Run(one.invariant, func(t *testing.T) {
			c := wild(t, one.script)
			c.Limits = vm.Limits{Instructions: 100_000}
			require.Contains(t, breaks(t, c, one.invariant).Message, one.message)
		})
	}
}

func TestShortestFirst(t *testing.T) {
	script := `local seen = {}
for _, name in ipairs { "x", "y", "z" } do flow.on(name, function() seen[#seen + 1] = name end) end
for i = 1, 6 do a(i):await() end
return table.concat(seen)`
	invariant := `["x before y"] = function(path) assert(path.result ~= "yx") end`
	f := breaks(t, with(t, calm(t, script), invariant), "x before y")
	require.Len(t, f.Path.Choices, 2)

	c := with(t, calm(t, script), invariant) // too few paths for all with two deviations: those that are sampled are shortened
	c.Paths = 150
	for c.Seed = 1; ; c.Seed++ {
		r := run(t, c)
		if len(r.Failures) > 0 {
			require.True(t, r.Sampled)
			require.Len(t, r.Failures[0].Path.Choices, 2)
			break
		}
		require.Less(t, c.Seed, uint64(50))
	}
}

// TestRepeatable: the same seed gives the same, whatever the number of workers.
func TestRepeatable(t *testing.T) {
	of := func(workers int, seed uint64) (paths string) {
		c := wild(t, `local p = { a(1), b(2), c(3) } flow.signal("go"):await() return flow.all(p):await()`)
		c.Paths, c.Seed, c.Workers = 1000, seed, workers
		r := run(t, with(t, c, `invariant = function(path) assert(not (path.cancelled and path.crashes > 0 and path:count("b") > 1), tostring(path)) end`))
		require.NotEmpty(t, r.Failures)
		return r.Failures[0].Path.Choices.String() + r.Failures[0].Text
	}
	require.Equal(t, of(1, 7), of(3, 7))
}

func TestReplayOfAPath(t *testing.T) {
	c := wild(t, `return a():await()`)
	choices, err := explore.ParseChoices("1.1")
	require.NoError(t, err)
	r, err := explore.Replay(c, choices)
	require.NoError(t, err)
	require.Empty(t, r.Failures[0].Invariant)
	require.Equal(t, `    1  0s  the run starts with {"id":"input-1"}
             → calls a({"id":"input-1"})  (main.lua:1)
  * 2  0s  a fails: ServiceError: a is not available
             → fails: ServiceError: a is not available  (main.lua:1)
`, strings.Replace(r.Failures[0].Text, `calls a(nothing)`, `calls a({"id":"input-1"})`, 1))
	for _, none := range []string{"1.99", "7.1"} {
		choices, err := explore.ParseChoices(none)
		require.NoError(t, err)
		_, err = explore.Replay(c, choices)
		require.ErrorContains(t, err, "there is no path "+none)
	}
}

func TestParseChoices(t *testing.T) {
	for _, text := range []string{"default", "1.1", "3.2,17.4"} {
		c, err := explore.ParseChoices(text)
		require.NoError(t, err)
		require.Equal(t, text, c.String())
	}
	for _, wrong := range []string{"", "1", "1.0", "0.1", "2.1,1.1", "1.1,1.2", "1.1,", "a.b", "1.1.1", "-1.2"} {
		_, err := explore.ParseChoices(wrong)
		require.ErrorContains(t, err, "is no path: expected what a failure prints", wrong)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := wild(t, `return flow.all { a(), b(), c() }:await()`)
	c.Progress = func(explore.Progress) { cancel() }
	r, err := explore.Explore(ctx, c)
	require.NoError(t, err)
	require.Equal(t, "interrupted", r.Ended)
	require.False(t, r.Exhaustive)
}

func TestOutOfTime(t *testing.T) {
	c := wild(t, `return flow.all { a(), b(), c() }:await()`)
	c.Time = 1
	r := run(t, c)
	require.Equal(t, "out of time", r.Ended)
	require.False(t, r.Exhaustive)
}

// An ID that a child has is free when that has ended, and not before.
func TestIDsOfChildren(t *testing.T) {
	c := calm(t, `
		local child = flow.workflow("child", function() flow.sleep(5) end)
		local same = child:with { id = "same" }
		local other = flow.workflow("other", function() same():await() end)
		flow.workflow("main", function()
			same():await()
			local second = same()
			local ok, err = pcall(function() other():await() end)
			second:await()
			return { ok, err.cause:is("AlreadyRunning"), (select(2, pcall(function() child:with { id = "a#b" }():await() end))):is("ChildStartError") }
		end)`)
	c.Workflow = "main"
	holds(t, with(t, c, `["as the engine does"] = function(path)
		local r = path.result
		return r and not r[1] and r[2] and r[3], require("json").encode(r)
	end`))
}

// A child may ask for its parent, which is another one on another path.
func TestParentsOfChildren(t *testing.T) {
	c := calm(t, `
		local child = flow.workflow("child", function() flow.sleep(1) return flow.info().parent end)
		local begin = function() return child:with { id = "same" }():await() end
		local begins = { x = flow.workflow("x", begin), y = flow.workflow("y", begin) }
		flow.workflow("main", function()
			local _, first = flow.race { x = a(), y = b() }:await()
			return { first, begins[first]:with { id = first }():await() }
		end)`)
	c.Workflow = "main"
	r := holds(t, with(t, c, `["the one that has begun it"] = function(path)
		local r = path.result
		return r and r[1] == r[2], require("json").encode(r)
	end`))
	require.Greater(t, r.Paths, 1)
}
