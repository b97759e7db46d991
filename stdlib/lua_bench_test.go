package stdlib

import (
	"math"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// luaPrograms are those of which the measurements of gopher-lua tell the time. Each returns a function that does a few milliseconds of work.
var luaPrograms = []struct{ name, source string }{
	{"fib", `local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end
		return function() return fib(20) end`},
	{"for", `return function() local s = 0 for i = 1, 200000 do s = s + i end return s end`},
	{"while", `return function() local i, s = 0, 0 while i < 100000 do i = i + 1 s = s + i % 7 end return s end`},
	{"array", `return function() local t = {} for i = 1, 20000 do t[i] = i end local s = 0 for i = 1, #t do s = s + t[i] end return s end`},
	{"hash", `return function() local t = {} for i = 1, 5000 do t["k" .. i % 500] = i end return t.k1 end`},
	{"fields", `return function() local p = {x = 1, y = 2} for i = 1, 50000 do p.x = p.x + p.y end return p.x end`},
	{"tables", `return function() local n = 0 for i = 1, 10000 do local t = {i, i + 1} n = n + t[2] end return n end`},
	{"closures", `return function() local n = 0 for i = 1, 20000 do local f = function() return i end n = n + f() end return n end`},
	{"methods", `local A = {} A.__index = A function A:add(n) self.n = self.n + n end
		return function() local a = setmetatable({n = 0}, A) for i = 1, 20000 do a:add(i) end return a.n end`},
	{"concat", `return function() local s = 0 for i = 1, 10000 do local t = "item " .. i .. ": " .. (i * 2) s = s + #t end return s end`},
	{"concat-grow", `return function() local s = "" for i = 1, 500 do s = s .. "line\n" end return #s end`},
	{"pairs", `local t = {} for i = 1, 200 do t["k" .. i] = i end
		return function() local s = 0 for i = 1, 50 do for k, v in pairs(t) do s = s + v end end return s end`},
	{"ipairs", `local t = {} for i = 1, 200 do t[i] = i end
		return function() local s = 0 for i = 1, 50 do for k, v in ipairs(t) do s = s + v end end return s end`},
	{"pcall", `local function f(x) return x end
		return function() local n = 0 for i = 1, 10000 do local ok, v = pcall(f, i) n = n + v end return n end`},
	{"pcall-error", `local function f(x) error("no") end
		return function() local n = 0 for i = 1, 1000 do local ok, v = pcall(f, i) if not ok then n = n + 1 end end return n end`},
	{"switch", `return function() local co = coroutine.wrap(function() for i = 1, 5000 do coroutine.yield(i) end return 0 end)
		local n = 0 for i = 1, 5000 do n = n + co() end return n end`},
	{"coroutines", `local function f(x) coroutine.yield(x) return x end
		return function() local n = 0 for i = 1, 200 do local co = coroutine.wrap(f) n = n + co(i) + co() end return n end`},
	{"varargs", `local function f(...) return select("#", ...) end
		return function() local n = 0 for i = 1, 20000 do n = n + f(i, i, i) end return n end`},
	{"table.concat", `return function() local t = {} for i = 1, 1000 do t[i] = "line" .. i end return #table.concat(t, "\n") end`},
	{"insert-remove", `return function() local t = {} for i = 1, 5000 do table.insert(t, i) end local s = 0 while #t > 0 do s = s + table.remove(t) end return s end`},
	{"format", `return function() local n = 0 for i = 1, 5000 do n = n + #string.format("%d: %s %5.2f", i, "x", i / 3) end return n end`},
	{"match", `return function() local n = 0 for i = 1, 5000 do local k, v = ("key" .. i .. "=value"):match("^(%w+)=(%w+)$") n = n + #k + #v end return n end`},
	{"gmatch", `local s = ("the quick brown fox "):rep(200) return function() local n = 0 for w in s:gmatch("%a+") do n = n + #w end return n end`},
	{"gsub", `local s = ("the quick brown fox "):rep(25) return function() return #(s:gsub("%a+", "<%0>")) end`},
	{"sort", `return function() local t, x = {}, 1 for i = 1, 5000 do x = x * 16807 % 2147483647 t[i] = x end table.sort(t) return t[1] end`},
	{"sort-function", `return function() local t, x = {}, 1 for i = 1, 2000 do x = x * 16807 % 2147483647 t[i] = x end table.sort(t, function(a, b) return a > b end) return t[1] end`},
	{"sub-byte", `local s = ("abcdefghij"):rep(100) return function() local n = 0 for i = 1, #s do n = n + s:byte(i) + #s:sub(i, i) end return n end`},
}

// BenchmarkLua reports each program's time over that of plain gopher-lua with its own libraries, and the geometric mean.
func BenchmarkLua(b *testing.B) {
	logs, count := 0.0, 0
	for _, p := range luaPrograms {
		ratio := 0.0
		b.Run(p.name, func(b *testing.B) { ratio = compareProgram(b, p.source) })
		if ratio > 0 {
			logs, count = logs+math.Log(ratio), count+1
		}
	}
	b.Run("mean", func(b *testing.B) {
		b.ReportMetric(math.Exp(logs/float64(max(1, count))), "x-baseline")
		b.ReportMetric(0, "ns/op")
	})
}

func compareProgram(b *testing.B, source string) float64 {
	l := lua.NewState()
	defer l.Close()
	if err := l.DoString(source); err != nil {
		b.Fatal(err)
	}
	rawFn := l.Get(-1)
	s := luaState(b, vm.Limits{}, &strings.Builder{})
	chunk, err := vm.Compile("bench.lua", source, vm.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	out, err := s.Call(s.Load(chunk))
	if err != nil {
		b.Fatal(err)
	}
	fn := out[0]
	var base, own time.Duration
	b.ResetTimer()
	for range b.N {
		start := time.Now()
		if err := l.CallByParam(lua.P{Fn: rawFn, NRet: 1}); err != nil {
			b.Fatal(err)
		}
		want := l.Get(-1)
		l.Pop(1)
		base += time.Since(start)
		start = time.Now()
		s.Refill()
		got, err := s.Call(fn)
		if err != nil {
			b.Fatal(err)
		}
		own += time.Since(start)
		if got[0] != want {
			b.Fatalf("%v instead of %v", got[0], want)
		}
	}
	ratio := float64(own) / float64(base)
	b.ReportMetric(float64(own)/float64(b.N), "ns/op")
	b.ReportMetric(ratio, "x-baseline")
	return ratio
}
