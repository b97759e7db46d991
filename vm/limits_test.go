package vm

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

// limitOf is the limit that a source breaks; it must come out as a panic, whatever the source does to catch it.
func limitOf(t *testing.T, source string, limits Limits) (failed *LimitError) {
	t.Helper()
	s := New(Config{Limits: limits})
	defer s.Close()
	openTestLibraries(s, nil)
	fn := s.Load(compile(t, source))
	defer func() {
		t.Helper()
		failed, _ = recover().(*LimitError)
		require.NotNil(t, failed)
		require.Nil(t, s.top)
	}()
	_, err := s.Call(fn)
	require.NoError(t, err)
	t.Fatal("the script came to its end")
	return nil
}

// TestNothingCatchesALimit: neither protected calls, handlers, coroutines, callbacks nor loaders.
func TestNothingCatchesALimit(t *testing.T) {
	const loop = `local function loop() while true do end end `
	for _, source := range []string{
		`loop()`, `while true do pcall(loop) end`, `xpcall(loop, loop)`, `xpcall(error, loop)`,
		`while true do coroutine.resume(coroutine.create(loop)) end`, `coroutine.wrap(function() pcall(coroutine.wrap(loop)) end)()`,
		`local t = setmetatable({}, {__index = loop}) while true do pcall(function() return t.x end) end`,
		`pcall(load, loop)`, `table.sort({1, 2, 3}, loop)`, `("x"):gsub(".", loop)`, `tostring(setmetatable({}, {__tostring = loop}))`,
		`for x in loop do end`, `local function again() return again() end again()`, `::top:: goto top`, `repeat until false`,
	} {
		failed := limitOf(t, loop+source, Limits{Instructions: 100_000})
		require.Equal(t, "Instructions", failed.Limit, source)
		require.ErrorContains(t, failed, "bench.lua:1: the script used more than its limit Instructions allows (100000 in one turn; ", source)
	}
}

// TestInstructionsAreExact: the count is the same in each run, and all threads of a state share it.
func TestInstructionsAreExact(t *testing.T) {
	count := func(limits Limits) (n int) {
		s := New(Config{Limits: limits})
		defer s.Close()
		s.Globals().RawSetString("tick", s.Func("tick", func(*lua.LState) int { n++; return 0 }))
		fn := s.Load(compile(t, `local co = coroutine.wrap(function() while true do pcall(tick) coroutine.yield() end end) while true do co() end`))
		defer func() { recover() }()
		s.Call(fn)
		return n
	}
	n := count(Limits{Instructions: 1_000_000})
	require.Greater(t, n, 10_000)
	require.Equal(t, n, count(Limits{Instructions: 1_000_000}))
	require.InDelta(t, n/2, count(Limits{Instructions: 500_000}), 20) // what comes before the loop
}

func TestTurnTime(t *testing.T) {
	failed := limitOf(t, `while true do pcall(function() end) end`, Limits{Turn: time.Millisecond})
	require.Equal(t, "Turn", failed.Limit)
}

func TestStringBytes(t *testing.T) {
	failed := limitOf(t, `local s = "x" while true do pcall(function() s = s .. s end) end`, Limits{StringBytes: 1 << 20})
	require.Equal(t, "StringBytes", failed.Limit)
	failed = limitOf(t, `local s = ("x"):rep(1000) while true do s = s .. 1 .. s .. 2 end`, Limits{StringBytes: 1 << 20})
	require.Equal(t, "StringBytes", failed.Limit)
}

func TestRefill(t *testing.T) {
	s := New(Config{Limits: Limits{Instructions: 10_000}})
	defer s.Close()
	fn := s.Load(compile(t, `for i = 1, 1000 do end`))
	for range 100 {
		s.Refill()
		_, err := s.Call(fn)
		require.NoError(t, err)
	}
	require.Panics(t, func() {
		for range 100 {
			s.Call(fn)
		}
	})
	s.Refill()
	_, err := s.Call(fn)
	require.NoError(t, err)
	require.Panics(t, func() { s.Charge(10_000) })
}

func TestInterrupt(t *testing.T) {
	s := New(Config{})
	defer s.Close()
	stop := errors.New("stop")
	s.Globals().RawSetString("interrupt", s.Func("interrupt", func(*lua.LState) int { s.Interrupt(stop); return 0 }))
	fn := s.Load(compile(t, `interrupt() while true do pcall(error) end`))
	require.PanicsWithValue(t, stop, func() { s.Call(fn) })
}

// What library functions charge must not keep a call stack from growing in time: with the same charges in each call,
// every eighth instruction may be one that is not counted one by one.
func TestChargesBetweenCalls(t *testing.T) {
	for before := range 8 {
		for text := 16; text <= 64; text += 16 {
			source := strings.Repeat("local _ = {}\n", before) + `
local text, empty = '` + strings.Repeat("a", text) + `', ''
local function f(n)
  local x = text..empty
  if n == 0 then return 0 end
  local other = {}
  local y = text..empty
  return 1 + f(n - 1, text..empty)
end
return f(500)`
			s := New(Config{})
			out, err := s.Call(s.Load(compile(t, source)))
			require.NoError(t, err, "%d instructions before, %d bytes", before, text)
			require.Equal(t, []lua.LValue{lua.LNumber(500)}, out)
			s.Close()
		}
	}
}
