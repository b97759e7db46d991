package vm

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What the loop does on the spot gives what Lua gives, also where the usual case ends.
func TestLoop(t *testing.T) {
	for _, p := range []struct{ name, code, want string }{
		{"minus zero", `local function z() return -0 end local a = z() print(a + a, a - 0, a * 1, 0 - a, 1 / (a + a), a % 5)`, "-0\t-0\t-0\t0\t-inf\t0"},
		{"numbers that are kept", `local t, s = {}, 0 for i = 1, 3000 do t[i] = i * 0.5 end for i = 1, 3000 do s = s + t[i] end print(s)`, "2250750"},
		{"remainder", `local function m(a, b) return a % b end print(m(5.3, 0.1), m(-5, 3), m(5, -3), m(1, 1 / 0), m("7", 4))`, "0.1\t1\t-1\tnan\t3"},
		{"power", `local function p(a, b) return a ^ b end print(p(2, 10), p(3, 2), p(2, 0.5), p("2", 3))`, "1024\t9\t1.4142135623731\t8"},
		{"changed string methods", `local m, s = {}, "ab" getmetatable("").__index = m m.sub = function() return "mine" end print(s:sub()) m.sub = type print(s:sub())`, "mine\nstring"},
		{"a key that goes away", `local t = setmetatable({k = 1}, {__newindex = function(t, k, v) rawset(t, k, v * 10) end}) t.k = 2 t.k = nil t.k = 3 print(t.k)`, "30"},
		{"an index that goes away", `local t = setmetatable({1, 2}, {__index = function() return "made" end}) t[2] = nil print(t[1], t[2], t[3])`, "1\tmade\tmade"},
		{"long keys", `local k = "" for i = 1, 500 do k = k .. "k" end local t = {[k] = 1} t[k] = t[k] + 1 print(t[k], #k)`, "2\t500"},
		{"results to spare", `local a, b, c = type(1) print(a, b, c, (type("x"))) print(type(nil), type(print))`, "number\tnil\tnil\tstring\nnil\tfunction"},
		{"one result", `local function f(a, b) return a .. ":" .. b end print(f(1, 2), (f(3, 4))) print(f(5, 6))`, "1:2\t3:4\n5:6"},
		{"pairs while keys go", `local t = {1, 2, a = 1, b = 2, [true] = 3} local n = 0 for k in pairs(t) do t[k] = nil n = n + 1 end print(n, next(t))`, "5\tnil"},
		{"pairs in pairs", `local t, n = {a = 1, b = 2, c = 3}, 0 for k in pairs(t) do for j in pairs(t) do n = n + 1 end end print(n)`, "9"},
		{"deep", `local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end print(f(9), f(200), f(10000))`, "9\t200\t10000"},
		{"open variables", `local fs = {} for i = 1, 3 do local j = i fs[i] = function() j = j + 1 return j end end print(fs[1](), fs[1](), fs[3]())`, "2\t3\t4"},
	} {
		t.Run(p.name, func(t *testing.T) {
			require.Equal(t, strings.Split(p.want, "\n"), printed(t, p.code))
		})
	}
}

// printed are the lines that a chunk prints.
func printed(t *testing.T, code string) (lines []string) {
	s := New(Config{Print: func(line string) { lines = append(lines, line) }})
	defer s.Close()
	chunk, err := Compile("test.lua", code, Limits{})
	require.NoError(t, err)
	_, err = s.Call(s.Load(chunk))
	require.NoError(t, err)
	return lines
}

// Each instruction is counted once, whichever way it is done.
func TestLoopCounts(t *testing.T) {
	chunk, err := Compile("test.lua", `while true do end`, Limits{})
	require.NoError(t, err)
	const allowed = 1000
	s := New(Config{Limits: Limits{Instructions: allowed, Turn: time.Hour}})
	defer s.Close()
	fn := s.Load(chunk)
	s.Refill()
	before := s.budget.slice + s.budget.rest
	require.EqualValues(t, allowed, before)
	require.Panics(t, func() { _, _ = s.Call(fn) })
	require.Zero(t, s.budget.slice+s.budget.rest)
}
