package vm

import (
	"testing"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

// TestInnardsAreKnown: a new gopher-lua that looks different would cost memory and the reuse of failed threads.
func TestInnardsAreKnown(t *testing.T) {
	s := New(Config{})
	defer s.Close()
	_, known := innardsOf(s.main)
	require.True(t, known)
}

// TestWithoutInnards: all works without them.
func TestWithoutInnards(t *testing.T) {
	s := New(Config{Limits: Limits{CallDepth: 2000}})
	defer s.Close()
	s.deepens = false
	s.main.Options.CallStackSize = s.limits.CallDepth
	out, err := s.Call(s.Load(compile(t, `local function sum(n) if n == 0 then return 0 end return n + sum(n - 1) end
		local ok, e = pcall(sum, 3000) return sum(1500), ok, e, pcall(error, "x", 0)`)))
	require.NoError(t, err)
	require.Equal(t, "1125750 false bench.lua:1: stack overflow (more than 2000 calls or 262144 values: Limits.CallDepth) false x", texts(s, out))
}

// TestFailedThreadsAreReused, with nothing left of what failed.
func TestFailedThreadsAreReused(t *testing.T) {
	s := New(Config{})
	defer s.Close()
	out, err := s.Call(s.Load(compile(t, `
		local kept = {}
		local function fail(n) local a, b, c = n, n + 1, n + 2 kept[#kept + 1] = function() a = a + 1 return a + b + c end if n % 2 == 0 then error("even") end return a end
		local function clean(...) local x, y, z return x, y, z, select("#", ...) end
		local bad = 0
		for i = 1, 100 do
			pcall(function() local deep = function(n) if n == 0 then fail(i) end return deep end fail(i) end)
			local ok, x, y, z, n = pcall(clean, i)
			if not ok or x or y or z or n ~= 1 then bad = bad + 1 end
		end
		local sum = 0
		for i, f in ipairs(kept) do sum = sum + f() end
		return bad, sum, #kept`)))
	require.NoError(t, err)
	require.Equal(t, "0 15550 100", texts(s, out))
	require.LessOrEqual(t, len(s.free), 3)
}

func texts(s *State, vs []lua.LValue) string {
	out := ""
	for i, v := range vs {
		if i > 0 {
			out += " "
		}
		out += s.ToString(s.main, v)
	}
	return out
}
