package vm

import (
	"iter"
	"runtime"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// raw is gopher-lua as it comes, with a function "await" that yields natively.
func raw(b testing.TB, source string) (*lua.LState, *lua.LFunction) {
	l := lua.NewState()
	l.SetGlobal("await", l.NewFunction(func(l *lua.LState) int { return l.Yield(l.Get(1)) }))
	if err := l.DoString(source); err != nil {
		b.Fatal(err)
	}
	return l, l.Get(-1).(*lua.LFunction)
}

// branches is a State with a function "await" that suspends the iter.Pull coroutine it is in, as the scheduler does.
type branches struct {
	*State
	yield func(lua.LValue) bool
	in    lua.LValue
}

func newBranches(b testing.TB, source string) (*branches, *lua.LFunction) {
	s := &branches{State: New(Config{Limits: Limits{Turn: time.Hour, Instructions: 1 << 60}}), in: lua.LNumber(1)}
	s.Globals().RawSetString("await", s.Func("await", func(l *lua.LState) int {
		yield, v, alive := s.yield, l.Get(1), true
		s.Suspend(func() { alive = yield(v) })
		if !alive {
			panic(killed{})
		}
		l.Push(s.in)
		return 1
	}))
	out, err := s.Call(s.Load(compile(b, source)))
	if err != nil {
		b.Fatal(err)
	}
	return s, out[0].(*lua.LFunction)
}

func (s *branches) start(fn *lua.LFunction) (next func() (lua.LValue, bool), stop func()) {
	return iter.Pull(func(yield func(lua.LValue) bool) {
		defer func() {
			if r := recover(); r != nil && r != (killed{}) {
				panic(r)
			}
		}()
		s.yield = yield
		s.Call(fn, lua.LNumber(1))
	})
}

func compile(b testing.TB, source string) *Chunk {
	b.Helper()
	c, err := Compile("bench.lua", source, Limits{})
	if err != nil {
		b.Fatal(err)
	}
	return c
}

const parkSource = `
local function inner(x) while true do x = await(x) end end
return function(x) inner(x) return x end`

func BenchmarkAwaitResume(b *testing.B) {
	l, rawFn := raw(b, parkSource)
	defer l.Close()
	th, _ := l.NewThread()
	l.Resume(th, rawFn, lua.LNumber(1))
	s, fn := newBranches(b, parkSource)
	defer s.Close()
	next, stop := s.start(fn)
	defer stop()
	next()
	hundred := func(f func()) func() {
		return func() {
			for range 100 {
				f()
			}
		}
	}
	compareLoops(b,
		hundred(func() { l.Resume(th, rawFn, lua.LNumber(1)) }),
		hundred(func() { next() }))
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/100, "ns/await")
}

// compareLoops runs both in turns, so that a busy machine disturbs them alike, and reports their ratio. The baseline, which
// may be much slower, runs for about as long as the other.
func compareLoops(b *testing.B, baseline, own func()) {
	var base, time0 time.Duration
	runs := 0
	b.ResetTimer()
	b.StopTimer()
	for done := 0; done < b.N; {
		n := min(b.N-done, 200)
		b.StartTimer()
		start := time.Now()
		for range n {
			own()
		}
		time0 += time.Since(start)
		b.StopTimer()
		done += n
		for base < time0 || runs < 10 {
			start = time.Now()
			baseline()
			base += time.Since(start)
			runs++
		}
	}
	b.ReportMetric(float64(time0)/float64(b.N)/(float64(base)/float64(runs)), "x-baseline")
}

func BenchmarkSpawn(b *testing.B) {
	const source = `return function(x) return x end`
	l, rawFn := raw(b, source)
	defer l.Close()
	s, fn := newBranches(b, source)
	defer s.Close()
	// The scheduler keeps its coroutines; here one runs a call each time.
	next, stop := iter.Pull(func(yield func(lua.LValue) bool) {
		for {
			out, err := s.Call(fn, lua.LNumber(1))
			if err != nil || !yield(out[0]) {
				return
			}
		}
	})
	defer stop()
	compareLoops(b,
		func() {
			th, _ := l.NewThread()
			l.Resume(th, rawFn, lua.LNumber(1))
		},
		func() { next() })
}

func BenchmarkParkedBranch(b *testing.B) {
	const count = 10_000
	memory := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc + m.StackInuse)
	}
	for range b.N {
		before := memory()
		l, rawFn := raw(b, parkSource)
		threads := make([]*lua.LState, count/10)
		for i := range threads {
			threads[i], _ = l.NewThread()
			l.Resume(threads[i], rawFn, lua.LNumber(1))
		}
		baseline := (memory() - before) / float64(len(threads))
		runtime.KeepAlive(threads)
		threads = nil
		l.Close()

		s, fn := newBranches(b, parkSource)
		before = memory()
		stops := make([]func(), count)
		nexts := make([]func() (lua.LValue, bool), count)
		for i := range stops {
			nexts[i], stops[i] = s.start(fn)
			nexts[i]()
		}
		own := (memory() - before) / count
		runtime.KeepAlive(nexts)
		for _, stop := range stops {
			stop()
		}
		s.Close()
		b.ReportMetric(own, "B/branch")
		b.ReportMetric(own/baseline, "x-baseline")
	}
}
