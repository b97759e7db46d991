package stdlib

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/vm"
)

// everything uses each library, what it must not change, and what it can forge.
const everything = `
	local flow, json, table, string, math, coroutine, debug = require "flow", require "json", table, string, math, coroutine, debug
	local ipairs, pairs, pcall, tostring, getmetatable, setmetatable, newproxy, type = ipairs, pairs, pcall, tostring, getmetatable, setmetatable, newproxy, type
	local text = debug.getmetatable("")
	local values = {
		flow, json, json.null, flow.log, flow.promise("p"), flow.timer(1), flow.signal("s"), flow.channel(1), flow.semaphore(1), flow.retry {},
		flow.activity("a", { start_to_close = "1s" }), flow.nowait(flow.promise("q")), flow.error("E", "m"), newproxy(true), io, io.stdout.write, require "http",
		string, math, table, coroutine, debug, "text", 1, true, print, coroutine.create(print),
	}
	for i = 1, 2 do
		for _, v in ipairs(values) do
			tostring(v)
			local forgedAny, forged = pcall(newproxy, v)
			for _, x in ipairs { v, forgedAny and forged or nil } do
				pcall(function() for k, f in pairs(x) do tostring(k) tostring(f) end end)
				for _, name in ipairs { "get", "ready", "cancel", "set", "fail", "close", "receive", "release", "outcome", "on", "with", "is", "__index", "x" } do
					pcall(function() return x[name](x) end)
				end
				pcall(function() x.y = i end)
				pcall(function() getmetatable(x).__index = nil end)
				pcall(function() debug.getmetatable(x).planted = i end)
				pcall(function() return x + 1 end) pcall(function() return x .. "" end) pcall(function() return #x end) pcall(function() return x < x end)
				pcall(function() return x(1) end)
				pcall(function() debug.setmetatable(i % 2 == 0 and "" or x, debug.getmetatable(x)) end)
				debug.setmetatable("", text)
				text.__index = string
			end
		end
		local list = {}
		for j = 1, 20 do list[j] = string.format("%d", (j * 7) % 11) .. ("x"):rep(j) end
		table.sort(list)
		json.decode(json.encode { list, math.random(9), { a = json.null } })
		string.gsub(table.concat(list), "%d", { ["1"] = "one" })
		local co = coroutine.wrap(function(...) for k, v in pairs { ... } do coroutine.yield(k, v) end end)
		co(1, 2) co()
		debug.traceback("t")
		flow.all { flow.spawn(flow.sleep, 1), flow.timer(1), flow.async(function(x) return x end)(flow.timer(1)) }:await()
	end
	return #values`

// TestRunsAtOnce: states that run at the same time write to nothing that they share. The race detector sees it.
func TestRunsAtOnce(t *testing.T) {
	chunks := map[string]*vm.Chunk{}
	for name, source := range map[string]string{"inventory.lua": inventory, "everything.lua": everything, "vandalism.lua": vandalism} {
		chunk, err := vm.Compile(name, source, vm.Limits{})
		require.NoError(t, err)
		chunks[name] = chunk
	}
	failed := make(chan error, 4)
	for range cap(failed) {
		go func() { failed <- runEach(chunks) }()
	}
	for range cap(failed) {
		require.NoError(t, <-failed)
	}
}

// runEach runs chunks to their ends, each in a state of its own.
func runEach(chunks map[string]*vm.Chunk) error {
	for name, chunk := range chunks {
		r := newLimitedRun(newWorld(), vm.Limits{Turn: time.Hour})
		OpenOS(r.state, r.now, r.world.Now)
		OpenRefused(r.state, ActivityModules[:]...)
		r.tree.Start(name, nil, r.flow.Body(r.state.Load(chunk), nil))
		_, err := r.finish()
		r.close()
		if err != nil {
			return err
		}
	}
	return nil
}
