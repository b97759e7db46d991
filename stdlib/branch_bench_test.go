package stdlib

import (
	"runtime"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/stretchr/testify/require"
)

// The benchmarks of vm measure a bare coroutine; these measure what a script gets: flow, the tree and Lua together, against
// the same baseline, gopher-lua's own coroutines with default options.

// rawCoroutine is a function whose "await" yields natively.
func rawCoroutine(b *testing.B, source string) (*lua.LState, *lua.LFunction) {
	b.Helper()
	l := lua.NewState()
	l.SetGlobal("await", l.NewFunction(func(l *lua.LState) int { return l.Yield(l.Get(1)) }))
	require.NoError(b, l.DoString(source))
	return l, l.Get(-1).(*lua.LFunction)
}

const rawParked = `
	local function inner(x) while true do x = await(x) end end
	return function(x) inner(x) return x end`

// ratio runs a script for b.N rounds and the baseline for as many, and reports the quotient.
func ratio(b *testing.B, source string, baseline func()) {
	b.Helper()
	benchScript(b, source)
	own := b.Elapsed()
	b.StopTimer()
	start := time.Now()
	for range b.N {
		baseline()
	}
	b.ReportMetric(float64(own)/float64(time.Since(start)), "x-baseline")
}

// BenchmarkAwaitResume: a branch gives up its turn and is resumed through the ready queue.
func BenchmarkAwaitResume(b *testing.B) {
	l, fn := rawCoroutine(b, rawParked)
	defer l.Close()
	th, _ := l.NewThread()
	l.Resume(th, fn, lua.LNumber(1))
	ratio(b, `
		local flow = require "flow"
		local yield, rounds = flow.yield, ...
		flow.spawn(function() for i = 1, rounds do yield() end end)`,
		func() { l.Resume(th, fn, lua.LNumber(1)) })
}

// BenchmarkSpawn: a branch is started and ends.
func BenchmarkSpawn(b *testing.B) {
	l, fn := rawCoroutine(b, `return function(x) return x end`)
	defer l.Close()
	ratio(b, `
		local flow = require "flow"
		local function work(x) return x end
		for i = 1, ... do
			flow.spawn(work, i)
			if i % 100 == 0 then flow.yield() end
		end`,
		func() {
			th, _ := l.NewThread()
			l.Resume(th, fn, lua.LNumber(1))
		})
}

// BenchmarkParkedBranch: bytes of a branch that waits two calls deep.
func BenchmarkParkedBranch(b *testing.B) {
	const count = 10_000
	for range b.N {
		before := inUse()
		l, fn := rawCoroutine(b, rawParked)
		threads := make([]*lua.LState, count/10)
		for i := range threads {
			threads[i], _ = l.NewThread()
			l.Resume(threads[i], fn, lua.LNumber(1))
		}
		baseline := float64(inUse()-before) / float64(len(threads))
		runtime.KeepAlive(threads)
		l.Close()

		r := newRun(newWorld())
		before = inUse()
		var held uint64
		r.plan(time.Second, func() { held = inUse() - before })
		_, err := r.script("parked.lua", `
			local flow = require "flow"
			local gate = flow.promise("gate")
			local function inner() return (gate:await()) end
			local function outer() local v = inner() return v end
			for i = 1, ... do flow.spawn(outer) end
			flow.sleep(2)
			gate:set(true)`, lua.LNumber(count))
		require.NoError(b, err)
		r.close()
		b.ReportMetric(float64(held)/count, "B/branch")
		b.ReportMetric(float64(held)/count/baseline, "x-baseline")
	}
}

func inUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}
