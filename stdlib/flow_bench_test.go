package stdlib

import (
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/vm"
)

// benchScript runs a script whose input is the number of rounds.
func benchScript(b *testing.B, source string) {
	b.Helper()
	b.ReportAllocs()
	w := newWorld()
	w.immediate = true
	r := newLimitedRun(w, vm.Limits{Instructions: 1 << 60, Turn: time.Hour})
	defer r.close()
	_, err := r.script("bench.lua", source, lua.LNumber(b.N))
	require.NoError(b, err)
}

// BenchmarkFlowSpawn: a branch that is started and ends.
func BenchmarkFlowSpawn(b *testing.B) {
	benchScript(b, `
		local flow = require "flow"
		local function work() end
		for i = 1, ... do
			flow.spawn(work)
			if i % 100 == 0 then flow.yield() end
		end`)
}

// BenchmarkFlowAwait: a branch that is started and awaited.
func BenchmarkFlowAwait(b *testing.B) {
	benchScript(b, `
		local flow = require "flow"
		local function work(x) return x end
		for i = 1, ... do flow.spawn(work, i):await() end`)
}

// BenchmarkFlowActivity: a call of an activity that completes at once, not awaited.
func BenchmarkFlowActivity(b *testing.B) {
	benchScript(b, `
		local flow = require "flow"
		local echo = flow.activity("now")
		for i = 1, ... do
			echo(i)
			if i % 100 == 0 then flow.yield() end
		end`)
}

// BenchmarkFlowTry: an empty scope with a catch and a finally.
func BenchmarkFlowTry(b *testing.B) {
	benchScript(b, `
		local flow = require "flow"
		local function nothing() end
		local scope = { nothing, catch = nothing, finally = nothing }
		for i = 1, ... do
			flow.try(scope)
			if i % 100 == 0 then flow.yield() end
		end`)
}
