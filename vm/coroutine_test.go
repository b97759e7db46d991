package vm

import (
	"errors"
	"iter"
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

// TestCoroutines holds coroutines against lua5.1 (and 5.4 for close, isyieldable and yields where 5.1 refuses).
func TestCoroutines(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"values", `local co = coroutine.create(function(a, b) local c, d = coroutine.yield(a + b) return c, d end)
			print(coroutine.resume(co, 1, 2)) print(coroutine.resume(co, "x")) print(coroutine.resume(co))`,
			"true\t3\ntrue\tx\tnil\nfalse\tcannot resume dead coroutine"},
		{"more values than wanted", `local co = coroutine.wrap(function() return (coroutine.yield()) end) co() print(co(1, 2, 3))`, "1"},
		{"yield in a tail call", `local co = coroutine.wrap(function() return coroutine.yield(1) end) print(co()) print(co(2))`, "1\n2"},
		{"error", `local co = coroutine.create(function() error("oops") end) print(coroutine.resume(co)) print(coroutine.status(co))`,
			"false\ttest.lua:1: oops\ndead"},
		{"error object", `local e = {} local co = coroutine.create(function() error(e) end) local ok, v = coroutine.resume(co) print(ok, v == e)`, "false\ttrue"},
		{"error through wrap", `local co = coroutine.wrap(function() error("oops") end)
			print(pcall(function() co() return 1 end)) print(pcall(co))`,
			"false\ttest.lua:2: test.lua:1: oops\nfalse\tcannot resume dead coroutine"},
		{"status", `local co co = coroutine.create(function()
			print(coroutine.status(co)) coroutine.wrap(function() print(coroutine.status(co)) end)() coroutine.yield() end)
			print(coroutine.status(co)) coroutine.resume(co) print(coroutine.status(co)) coroutine.resume(co) print(coroutine.status(co))`,
			"suspended\nrunning\nnormal\nsuspended\ndead"},
		{"resume itself", `local co co = coroutine.create(function() return coroutine.resume(co) end) print(coroutine.resume(co))`,
			"true\tfalse\tcannot resume running coroutine"},
		{"resume an ancestor", `local co co = coroutine.create(function()
			return coroutine.wrap(function() return coroutine.resume(co) end)() end) print(coroutine.resume(co))`,
			"true\tfalse\tcannot resume normal coroutine"},
		{"running", `print(coroutine.running()) local co co = coroutine.create(function() return coroutine.running() == co end) print(coroutine.resume(co))`,
			"nil\ntrue\ttrue"},
		{"isyieldable", `print(coroutine.isyieldable()) print(coroutine.wrap(function() return pcall(coroutine.isyieldable) end)())`, "false\ntrue\ttrue"},
		{"yield outside", `print(pcall(coroutine.yield))`, "false\tattempt to yield from outside a coroutine"},
		{"close", `local co = coroutine.create(function() pcall(coroutine.yield) print("not reached") end)
			coroutine.resume(co) print(coroutine.close(co), coroutine.status(co)) print(coroutine.close(co))
			local bad = coroutine.create(error) coroutine.resume(bad, "x") print(coroutine.close(bad)) print(coroutine.close(bad))
			print(coroutine.close(coroutine.create(print)))`,
			"true\tdead\ntrue\nfalse\tx\ntrue\ntrue"},
		{"close itself", `local co co = coroutine.create(function() return pcall(coroutine.close, co) end) print(coroutine.resume(co))`,
			"true\tfalse\tcannot close a running coroutine"},
		{"Go function", `print(coroutine.resume(coroutine.create(select), 2, "a", "b"))`, "true\tb"},
		{"not a coroutine", `print(pcall(coroutine.resume, 1)) print(pcall(coroutine.create, 1))`,
			"false\tbad argument #1 to '?' (coroutine expected)\nfalse\tbad argument #1 to '?' (Lua function expected)"},
		{"yield inside pcall", `local co = coroutine.wrap(function() local ok, v = pcall(function() return coroutine.yield(1) + 1 end) coroutine.yield(v) return pcall(error, "e") end)
			print(co()) print(co(5)) print(co())`, "1\n6\nfalse\te"},
		{"error after yield inside pcall", `local co = coroutine.wrap(function() return pcall(function() coroutine.yield() error("late") end) end) co() print(co())`,
			"false\ttest.lua:1: late"},
		{"yield inside metamethods", `local t = setmetatable({}, {__index = function(t, k) return coroutine.yield(k) end, __add = function(a, b) return coroutine.yield("+") end,
			__concat = function() return coroutine.yield("..") end, __lt = function() return coroutine.yield("<") end, __tostring = function() return coroutine.yield("s") end})
			local co = coroutine.wrap(function() return t.x, t + 1, t .. "", t < t, tostring(t) end)
			print(co()) print(co(1)) print(co(2)) print(co(3)) print(co(4)) print(co("five"))`, "x\n+\n..\n<\ns\n1\t2\t3\ttrue\tfive"},
		{"yield inside an iterator", `local co = coroutine.wrap(function() for v in function() return coroutine.yield() end do print(v) end return "end" end)
			co() co(1) co(2) print(co(nil))`, "1\n2\nend"},
		{"yield inside sort and gsub", `local co = coroutine.wrap(function() local t = {3, 1, 2} table.sort(t, function(a, b) coroutine.yield() return a < b end) return table.concat(t), "done" end)
			local v, d repeat v, d = co() until d print(v)
			co = coroutine.wrap(function() return (("abc"):gsub(".", function(c) return coroutine.yield(c) end)) end)
			print(co()) print(co("x")) print(co("y")) print(co("z"))`, "123\na\nb\nc\nxyz"},
		{"nested", `local function gen(n) return coroutine.wrap(function() if n > 0 then for v in gen(n - 1) do coroutine.yield(v) end end coroutine.yield(n) end) end
			local s = "" for v in gen(20) do s = s .. v end print(s)`, "01234567891011121314151617181920"},
		{"shared locals", `local n = 0 local function inc() n = n + 1 coroutine.yield(n) n = n + 1 end
			local a, b = coroutine.wrap(inc), coroutine.wrap(inc) print(a(), b()) a() b() print(n)`, "1\t2\n4"},
		{"nesting limit", `local function f() return coroutine.wrap(f)() end local ok, e = pcall(f) print(ok, e:match("C stack overflow"))
			local function g() return pcall(g) end print(select("#", g()) > 100)`, "false\tC stack overflow\ntrue"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, trimmed(lines(t, c.code))) })
	}
}

// park runs a source that calls await(v) inside an iter.Pull coroutine and gives what it awaits.
func park(t *testing.T, s *State, source string) (next func() (lua.LValue, bool), stop func(), ended *any) {
	var yield func(lua.LValue) bool
	s.Globals().RawSetString("await", s.Func("await", func(l *lua.LState) int {
		v, alive := l.Get(1), true
		s.Suspend(func() { alive = yield(v) })
		if !alive {
			panic(killed{})
		}
		l.Push(v)
		return 1
	}))
	await := s.Globals().RawGetString("await")
	fn := s.Load(compile(t, "local await = await; "+source))
	ended = new(any)
	next, stop = iter.Pull(func(y func(lua.LValue) bool) {
		yield = y
		defer func() {
			if r := recover(); r != nil {
				*ended = r
			}
		}()
		s.Globals().RawSetString("await", await)
		if _, err := s.Call(fn); err != nil {
			*ended = err
		}
	})
	return next, stop, ended
}

var parkPlaces = map[string]string{
	"plain":          `await(1)`,
	"pcall":          `pcall(pcall, await, 1)`,
	"xpcall":         `xpcall(function() await(1) end, print)`,
	"pcall loop":     `while true do pcall(await, 1) end`,
	"handler":        `xpcall(error, function() await(1) end)`,
	"metamethod":     `local t = setmetatable({}, {__index = function() await(1) end}) local x = t.x`,
	"iterator":       `for _ in function() return await(1) end do end`,
	"gsub":           `("abc"):gsub(".", function() await(1) end)`,
	"sort":           `table.sort({2, 1}, function(a, b) await(1) return a < b end)`,
	"tostring":       `tostring(setmetatable({}, {__tostring = function() await(1) return "" end}))`,
	"coroutine":      `coroutine.wrap(function() await(1) end)()`,
	"coroutines":     `coroutine.wrap(function() coroutine.wrap(function() pcall(coroutine.wrap(function() await(1) end)) end)() end)()`,
	"resumed later":  `local co = coroutine.wrap(function() coroutine.yield() pcall(await, 1) end) co() co()`,
	"with suspended": `co = coroutine.wrap(function() coroutine.yield() end) co() await(1)`,
}

// TestAwaitAnywhere: what awaits goes on where it was.
func TestAwaitAnywhere(t *testing.T) {
	for place, source := range parkPlaces {
		if place == "pcall loop" || place == "iterator" { // these have no end
			continue
		}
		t.Run(place, func(t *testing.T) {
			s := New(Config{})
			defer s.Close()
			openTestLibraries(s, nil)
			next, stop, ended := park(t, s, source+` return "end"`)
			defer stop()
			for {
				v, ok := next()
				if !ok {
					break
				}
				require.Equal(t, lua.LNumber(1), v)
				require.Nil(t, s.top)
			}
			require.Nil(t, *ended)
		})
	}
}

// TestUnwind: what is dropped while it waits unwinds at once, and no pcall sees it.
func TestUnwind(t *testing.T) {
	for place, source := range parkPlaces {
		t.Run(place, func(t *testing.T) {
			s := New(Config{})
			openTestLibraries(s, nil)
			next, stop, ended := park(t, s, source)
			_, ok := next()
			require.True(t, ok)
			stop()
			require.Equal(t, killed{}, *ended)
			s.Close()
			require.Empty(t, s.live)
		})
	}
}

// TestInterleaved: two branches of one state wait inside coroutines and pcalls, in turns.
func TestInterleaved(t *testing.T) {
	s := New(Config{})
	defer s.Close()
	const source = `local n = 0 local co = coroutine.wrap(function() while true do pcall(function() n = n + await(1) end) coroutine.yield(n) end end)
		for i = 1, 10 do assert(co() == i) assert(coroutine.running() == nil) end`
	next1, stop1, ended1 := park(t, s, source)
	defer stop1()
	next1()
	next2, stop2, ended2 := park(t, s, source)
	defer stop2()
	next2()
	for {
		_, ok1 := next1()
		_, ok2 := next2()
		if !ok1 && !ok2 {
			break
		}
	}
	require.Nil(t, *ended1)
	require.Nil(t, *ended2)
}

var errEngine = errors.New("engine")

// TestEnginePanicsPass through pcall, xpcall, metamethods and coroutines.
func TestEnginePanicsPass(t *testing.T) {
	for _, source := range []string{
		`stop()`, `pcall(stop)`, `xpcall(stop, print)`, `xpcall(error, stop)`, `coroutine.wrap(stop)()`,
		`coroutine.resume(coroutine.create(function() pcall(coroutine.wrap(function() pcall(stop) end)) end))`,
		`load(stop)`, `local t = setmetatable({}, {__index = stop}) pcall(function() return t.x end)`,
	} {
		s := New(Config{})
		s.Globals().RawSetString("stop", s.Func("stop", func(*lua.LState) int { panic(errEngine) }))
		fn := s.Load(compile(t, source))
		require.PanicsWithValue(t, errEngine, func() { s.Call(fn) }, source)
		require.Nil(t, s.top, source)
		out, err := s.Call(s.Load(compile(t, `return coroutine.wrap(function() return 1 end)()`)))
		require.NoError(t, err)
		require.Equal(t, []lua.LValue{lua.LNumber(1)}, out)
		s.Close()
	}
}

// TestLostCoroutines are stopped when the garbage collector has found them.
func TestLostCoroutines(t *testing.T) {
	s := New(Config{Limits: Limits{Coroutines: 50, Instructions: 1e8}})
	defer s.Close()
	fn := s.Load(compile(t, `for i = 1, 40 do coroutine.wrap(coroutine.yield)() end`))
	before := runtime.NumGoroutine()
	for range 20 { // 800, of which 50 may be alive
		_, err := s.Call(fn)
		require.NoError(t, err)
	}
	require.LessOrEqual(t, len(s.live), 50)
	require.LessOrEqual(t, runtime.NumGoroutine()-before, 50)
}

func TestTooManyCoroutines(t *testing.T) {
	s := New(Config{Limits: Limits{Coroutines: 10}})
	defer s.Close()
	fn := s.Load(compile(t, `kept = {} for i = 1, 11 do kept[i] = coroutine.wrap(coroutine.yield) pcall(kept[i]) end`))
	defer func() {
		failed, ok := recover().(*LimitError)
		require.True(t, ok)
		require.Equal(t, "Coroutines", failed.Limit)
	}()
	s.Call(fn)
}

// A state that is closed can be collected, whatever its coroutines and its globals know of each other.
func TestClosedStatesAreCollected(t *testing.T) {
	for _, source := range []string{
		`suspended = coroutine.create(coroutine.yield) coroutine.resume(suspended)`,
		`dead = coroutine.create(function() end) coroutine.resume(dead)`,
		`co = coroutine.create(function() me = coroutine.running() coroutine.yield(me) end) coroutine.resume(co)`,
	} {
		state := func() weak.Pointer[State] {
			s := New(Config{})
			defer s.Close()
			_, err := s.Call(s.Load(compile(t, source)))
			require.NoError(t, err)
			return weak.Make(s)
		}()
		for range 3 {
			runtime.GC()
		}
		require.True(t, state.Value() == nil, source)
	}
}
