package flowlua_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

func TestLuaActivity(t *testing.T) {
	in(t, `
		local json = require "json"
		local counter = 0
		local work = flow.activity("work", function(a, b)
			counter = counter + 1      -- each state loads the script afresh
			local info = flow.activity_info()
			print("working", a, info.name, info.attempt)
			return a + b, counter, json.encode { a }, os.time() > 0, type(io.open)
		end)
		flow.workflow("w", function()
			work(1, 2):await()
			return work(3, 4):await()
		end)`, func(t *testing.T, b *bed) {
		require.Equal(t, `[7,1,"[3]",true,"function"]`, b.wait(b.start("w")))
		require.Equal(t, "working\t1\twork\t1\nworking\t3\twork\t1\n", b.printed.String())
	})
}

// A file that declares no workflow is one: its activities know what stands before the first thing only a workflow can do.
func TestLuaActivityOfAScriptThatIsAWorkflow(t *testing.T) {
	in(t, `
		local function twice(s) return s .. s end
		local shout = flow.activity("shout", function(s) return twice(s):upper() end)
		print("once")
		return shout((...)):await()`, func(t *testing.T, b *bed) {
		require.Equal(t, `["HOHO"]`, b.result("ho"))
	})
}

// What stands inside of a workflow or below the first wait is not run where an activity is loaded.
func TestLuaActivityOutOfReach(t *testing.T) {
	in(t, `
		flow.workflow("w", function()
			return select(2, pcall(flow.activity, "late", function() end))
		end)`, func(t *testing.T, b *bed) {
		require.Contains(t, b.wait(b.start("w")), "flow.activity 'late': an activity with a function is declared at the top level of the file")
	})
	in(t, `
		flow.sleep(1)
		local late = flow.activity("late", function() end)
		return select(2, pcall(function() late():await() end)).message`, func(t *testing.T, b *bed) {
		require.Contains(t, b.result(), "at the top of the file, before anything is started or awaited there")
	})
}

func TestLuaActivityFailures(t *testing.T) {
	in(t, `
		local function fails(name, fn)
			local ok, err = pcall(function() flow.activity(name)():await() end)
			return err.name
		end
		local named = flow.activity("named", { retry = { max_attempts = 2 } }, function()
			error(flow.error("CardDeclined", "no", { status = 402, details = { n = 1 }, cause = flow.error("Inner", "in") }))
		end)
		local plain = flow.activity("plain", function() error("just text") end)
		local value = flow.activity("value", function() return function() end end)
		local misuse = flow.activity("misuse", function() flow.spawn(print) end)
		flow.workflow("w", function()
			local out = {}
			for _, stub in ipairs { named, plain, value, misuse } do
				local ok, err = pcall(function() stub():await() end)
				out[#out + 1] = err.name
				out[#out + 1] = err.message
				if err.cause then out[#out + 1] = err.cause.name end
			end
			return unpack(out)
		end)`, func(t *testing.T, b *bed) {
		run := b.start("w")
		var out [9]string
		require.NoError(t, run.Result(t.Context(), &out[0], &out[1], &out[2], &out[3], &out[4], &out[5], &out[6], &out[7], &out[8]))
		require.Equal(t, []string{"CardDeclined", "no", "Inner"}, out[:3])
		require.Contains(t, out[4], "just text")
		require.Equal(t, "ActivityResultError", out[5])
		require.Contains(t, out[6], "a function cannot leave the run")
		require.Contains(t, out[8], "flow.spawn cannot be used inside an activity")
	})
}

func TestLuaActivityIsCancelledAtItsHeartbeatOrSleep(t *testing.T) {
	in(t, `
		local scan = flow.activity("scan", { heartbeat = "1m" }, function()
			for i = 1, 100 do
				flow.heartbeat(i)
				local ok, err = pcall(flow.sleep, 50)
				if not ok then
					print("cleaning up", err.name, os.getenv("HOME") ~= nil)
					error(err)
				end
			end
		end)
		flow.workflow("w", function()
			local before = flow.now()
			local work = flow.try { function() scan() end, catch = function(err) return err.name, flow.now() end }
			flow.sleep("2m")
			work:cancel()
			local name, now = work:await()
			return name, now - before
		end)`, func(t *testing.T, b *bed) {
		t.Setenv("HOME", "/home")
		require.Equal(t, `["CancelledError",120]`, b.wait(b.start("w")))
		require.Equal(t, "cleaning up\tCancelledError\ttrue\n", b.printed.String())
		require.Equal(t, "CancelledError", b.events(history.ActivityFailed)[0].Failure.Name)
	})
}

func TestLuaActivityGoesOnFromItsHeartbeatDetails(t *testing.T) {
	in(t, `
		local copy = flow.activity("copy", { retry = { initial = 1, max_attempts = 3 } }, function(n)
			local from = flow.heartbeat_details() or 0
			for i = from + 1, n do
				flow.heartbeat(i)
				if i == 2 and from == 0 then error("the line was cut") end
			end
			return "from " .. from .. " to " .. n
		end)
		flow.workflow("w", function() return copy(4):await() end)`, func(t *testing.T, b *bed) {
		require.Equal(t, `["from 2 to 4"]`, b.wait(b.start("w")))
	})
}

// What works on for ever is stopped at its timeout, also by force.
func TestLuaActivityThatNeverEnds(t *testing.T) {
	in(t, `
		local spin = flow.activity("spin", { start_to_close = "1s" }, function() while true do os.time() end end)
		local slow = flow.activity("slow", { start_to_close = "1s" }, function() pcall(flow.sleep, "1h") pcall(flow.sleep, "1h") end)
		flow.workflow("w", function()
			local ok, err = pcall(function() slow():await() end)
			return err.timeout
		end)`, func(t *testing.T, b *bed) {
		require.Equal(t, `["start_to_close"]`, b.wait(b.start("w")))
	})
}

func TestLuaActivitiesRunInParallel(t *testing.T) {
	in(t, `
		local nap = flow.activity("nap", function(i) flow.sleep(10) return i end)
		flow.workflow("w", function()
			local before, calls = flow.now(), {}
			for i = 1, 20 do calls[i] = nap(i) end
			return #flow.all(calls):await(), flow.now() - before
		end)`, func(t *testing.T, b *bed) {
		start := time.Now()
		require.Equal(t, `[20,10]`, b.wait(b.start("w")))
		require.Equal(t, 10*time.Second, time.Since(start))
	})
}
