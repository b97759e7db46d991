package stdlib

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// short is enough for what a test prepares, and a hundredth of what a script may use by default.
var short = vm.Limits{Instructions: 1e6}

// little is what scripts may hold whose memory takes long to fill.
var little = vm.Limits{Memory: 8 << 20}

type hostileScript struct {
	name   string
	source string
	limits vm.Limits
	limit  string // the limit that stops it; "": it comes to its end, with nothing wrong
}

// fails, for a limit: it ends with a Lua error.
const fails = "error"

// hostile are scripts that want more than there is. Each is also run inside of everything that could catch an error.
var hostile = []hostileScript{
	// gopherlua.md 2.1: time and memory inside one instruction
	{"gsub of a long text", `assert(("a"):rep(2e5):gsub("a", "b") == ("b"):rep(2e5))`, vm.Limits{}, ""},
	{"backtracking", `("a"):rep(3000):find("a*a*a*a*b")`, vm.Limits{}, "PatternSteps"},
	{"backtracking of options", `("a"):rep(100):find(("(a?)"):rep(31) .. ("a"):rep(110))`, vm.Limits{}, "PatternSteps"},
	{"backtracking in gsub", `("a"):rep(3000):gsub("a*a*a*a*b", "")`, vm.Limits{}, "PatternSteps"},
	{"backtracking in gmatch", `for _ in ("a"):rep(3000):gmatch("a*a*a*a*b") do end`, vm.Limits{}, "PatternSteps"},
	{"backtracking of lazy ones", `("a"):rep(3000):match(".-.-.-.-b")`, vm.Limits{}, "PatternSteps"},
	{"backtracking in budget", `for i = 1, 1e9 do ("a"):rep(300):find("a*a*b") end`, short, "Instructions"},
	{"match of a long text", `assert(#("a"):rep(2e6):match(".*") == 2e6)`, vm.Limits{}, ""},
	{"far index", `for i = 1, 1e9 do local t = {} t[1048575] = 1 end`, vm.Limits{Instructions: 1e7}, "Instructions"},
	{"far index in a register", `local k = 1048575 for i = 1, 1e9 do local t = {} t[k] = i end`, vm.Limits{Instructions: 1e7}, "Instructions"},
	{"far nil", `for i = 1, 1e4 do local t = {} t[1048575] = nil local k = 1e6 t[k] = nil end`, short, ""},
	{"far indices kept", `local all = {} for i = 1, 1e9 do local t = {} t[1048575] = 1 all[i] = t end`, little, "Memory"},
	{"far index by __newindex", `local t = setmetatable({}, {__newindex = {}}) for i = 1, 1e9 do t = setmetatable({}, {__newindex = {}}) t[1048575] = 1 end`, vm.Limits{Instructions: 1e7}, "Instructions"},
	{"far index by rawset", `for i = 1, 1e9 do rawset({}, 1048575, 1) end`, vm.Limits{Instructions: 1e7}, "Instructions"},
	{"far index by insert", `for i = 1, 1e9 do table.insert({}, 1048575, 1) end`, vm.Limits{Instructions: 1e7}, "Instructions"},
	{"index beyond lists", `local t = {} t[67108863], t[4194303], t[1048576], t[2^53], t[-1] = 1, 2, 3, 4, 5 assert(t[67108863] + t[4194303] + t[1048576] + #t == 6)`, vm.Limits{}, ""},
	{"long list", `local t = {} for i = 1, 1e9 do t[i] = i end`, vm.Limits{TableSize: 1e5}, "TableSize"},
	{"long list by insert", `local t = {} for i = 1, 1e9 do table.insert(t, i) end`, vm.Limits{}, "TableSize"},
	{"long list by #", `local t = {} while true do t[#t + 1] = 1 end`, vm.Limits{TableSize: 1e5}, "TableSize"},
	{"list length as it may be", `local t = {} for i = 1, 1000 do t[i] = i end t[1001] = 1`, vm.Limits{TableSize: 1000}, "TableSize"},
	{"emptied from the end", `local t = {} for i = 1, 50000 do t[i] = i end for i = 50000, 1, -1 do local n = #t assert(n == i) t[n] = nil end`, vm.Limits{Instructions: 2e6}, ""},
	{"emptied, then asked", `local t = {} for i = 1, 1e5 do t[i] = i end for i = 1, 1e5 do t[i] = nil end for i = 1, 1e5 do assert(#t == 0 and not table.remove(t)) end`, vm.Limits{Instructions: 4e6}, ""},
	{"first of an emptied list", `local t = {} for i = 1, 1e6 do t[i] = i end for i = 1, 1e6 - 1 do t[i] = nil end while next(t) do end`, vm.Limits{Instructions: 3e7}, "Instructions"},
	{"first of an emptied map", `local t = {} for i = 1, 1e5 do t["k" .. i] = i end for i = 1, 1e5 - 1 do t["k" .. i] = nil end while next(t) do end`, vm.Limits{Instructions: 1e7}, "Instructions"},
	{"doubled text", `local s = "x" while true do s = s .. s end`, vm.Limits{}, "StringBytes"},
	{"doubled text of several", `local s = "x" while true do s = s .. s .. s .. 1 end`, vm.Limits{}, "StringBytes"},
	{"rep", `("x"):rep(1e10)`, vm.Limits{}, "StringBytes"},
	{"rep of rep", `local s = ("x"):rep(1e6) s:rep(1e300)`, vm.Limits{}, "StringBytes"},
	{"collectgarbage", `for i = 1, 1e9 do collectgarbage() end`, short, "Instructions"},
	{"tail calls, then an error", `local function f(n) if n == 0 then error("x") end return f(n - 1) end assert(not pcall(f, 1e5))`, short, ""},
	{"errors in depth", `local function f(n) if n == 0 then for i = 1, 1e9 do pcall(error, "x") end end return 1 + f(n - 1) end f(10000)`, vm.Limits{Instructions: 1e6}, "Instructions"},
	{"tracebacks in depth", `local function f(n) if n == 0 then for i = 1, 1e9 do xpcall(error, debug.traceback) end end return 1 + f(n - 1) end f(10000)`, vm.Limits{Instructions: 1e5}, "Instructions"},
	{"unpack", `for i = 1, 1e9 do unpack({}, 1, 7000) end`, short, "Instructions"},
	{"arguments", `local function f(...) return select("#", ...) end for i = 1, 1e9 do f(unpack({}, 1, 7000)) end`, short, "Instructions"},

	// 2.2: ways to kill the process
	{"resume of an ancestor", `local co co = coroutine.create(function() local ok, e = coroutine.resume(co) assert(not ok and e:match("cannot resume")) end) assert(coroutine.resume(co))`, vm.Limits{}, ""},
	{"resume of a grandparent", `local a a = coroutine.create(function() coroutine.wrap(function() assert(not coroutine.resume(a)) end)() end) assert(coroutine.resume(a))`, vm.Limits{}, ""},
	{"pattern of parentheses", `assert(not pcall(string.find, "", ("("):rep(5e6)))`, vm.Limits{}, ""},
	{"nested coroutines", `local function f() coroutine.wrap(f)() end local ok, e = pcall(f) assert(e:match("Limits.Nesting"), e)`, vm.Limits{}, ""},
	{"nested coroutines for ever", `local function f() pcall(coroutine.wrap(f)) return f() end f()`, vm.Limits{Instructions: 1e5}, "Instructions"},
	{"started coroutines", `local all = {} for i = 1, 1e9 do all[i] = coroutine.wrap(coroutine.yield) all[i]() end`, vm.Limits{Coroutines: 500}, "Coroutines"},
	{"unstarted coroutines", `local all = {} for i = 1, 1e9 do all[i] = coroutine.create(print) end`, little, "Memory"},
	{"more and more values", `local function f(...) return f(1, ...) end assert(not pcall(f))`, vm.Limits{}, ""},
	{"more and more values in calls", `local function f(...) return (f(1, ...)) end assert(not pcall(f))`, vm.Limits{}, ""},
	{"long replacement", `local s = ("x"):rep(1e4) s:gsub(".", s)`, vm.Limits{}, "StringBytes"},
	{"replacement of captures", `local s = ("x"):rep(1e4) s:gsub(".*", ("%0"):rep(1e4))`, vm.Limits{}, "StringBytes"},
	{"far indices", `local t = {} for i = 1, 10 do t[i] = {} t[i][67108863] = 1 end`, vm.Limits{}, ""},

	// recursion in every construct
	{"recursion", `local function f() return 1 + f() end local ok, e = pcall(f) assert(e:match("Limits.CallDepth"), e)`, vm.Limits{}, ""},
	{"recursion in __index", `local t t = setmetatable({}, {__index = function(_, k) return (t[k]) end}) local ok, e = pcall(function() return t.x end) assert(not ok and e:match("Limits.CallDepth"), e)`, vm.Limits{}, ""},
	{"recursion in __newindex", `local t t = setmetatable({}, {__newindex = function(_, k, v) t[k] = v end}) assert(not pcall(function() t.x = 1 end))`, vm.Limits{}, ""},
	{"recursion in __eq", `local m = {} m.__eq = function(a, b) return not (a == b) end assert(not pcall(function() return setmetatable({}, m) == setmetatable({}, m) end))`, vm.Limits{}, ""},
	{"recursion in __lt", `local m = {} m.__lt = function(a, b) return not (a < b) end assert(not pcall(function() return setmetatable({}, m) < setmetatable({}, m) end))`, vm.Limits{}, ""},
	{"recursion in __concat", `local m = {} m.__concat = function(a, b) return (a .. b) end assert(not pcall(function() return setmetatable({}, m) .. "x" end))`, vm.Limits{}, ""},
	{"recursion in __add", `local m = {} m.__add = function(a, b) return 1 + (a + b) end assert(not pcall(function() return setmetatable({}, m) + 1 end))`, vm.Limits{}, ""},
	{"recursion in __unm and __len", `local m = {} m.__unm = function(a) return #a end m.__len = function(a) return -a end assert(not pcall(function() return -setmetatable({}, m) end))`, vm.Limits{}, ""},
	{"recursion in __call", `local t t = setmetatable({}, {__call = function(self) return 1 + self() end}) assert(not pcall(t))`, vm.Limits{}, ""},
	{"chain of __call", `local t = print for i = 1, 1e4 do t = setmetatable({}, {__call = t}) end assert(not pcall(t))`, vm.Limits{}, ""},
	{"circle of __call", `local m = {} local t = setmetatable({}, m) m.__call = t assert(not pcall(t))`, vm.Limits{}, ""},
	{"circle of __index", `local m = {} local t = setmetatable({}, m) m.__index = t assert(not pcall(function() return t.x end))`, vm.Limits{}, ""},
	{"circle of __newindex", `local m = {} local t = setmetatable({}, m) m.__newindex = t assert(not pcall(function() t.x = 1 end)) assert(not pcall(function() t[1e6] = 1 end))`, vm.Limits{}, ""},
	{"recursion in tostring", `local m = {} m.__tostring = function(x) return (tostring(x)) end assert(not pcall(tostring, setmetatable({}, m)))`, vm.Limits{}, ""},
	{"recursion in sort", `local function f() table.sort({1, 2, 3}, f) end assert(not pcall(f))`, vm.Limits{}, ""},
	{"recursion in gsub", `local function f() return (("x"):gsub(".", f)) end assert(not pcall(f))`, vm.Limits{}, ""},
	{"recursion in pcall", `local function f() return pcall(f) end assert(f())`, vm.Limits{}, ""},
	{"recursion in xpcall", `local function f() return xpcall(f, f) end f()`, vm.Limits{}, ""},
	{"recursion in a handler", `local function f() error("x") end local function h() return xpcall(f, h) end xpcall(f, h)`, vm.Limits{}, ""},
	{"recursion in an iterator", `local function f() for _ in f do end end assert(not pcall(f))`, vm.Limits{}, ""},
	{"recursion in load", `local function f() return load(f) end f()`, vm.Limits{}, ""},
	{"recursion in foreach", `local function f() table.foreach({1}, f) end assert(not pcall(f))`, vm.Limits{}, ""},
	{"recursion of resumes", `local function f() return coroutine.resume(coroutine.create(f)) end f()`, vm.Limits{}, ""},

	// more and more
	{"texts in a list", `local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1000) .. i end`, vm.Limits{}, "Memory"},
	{"texts in variables", `local s = "" local function f(n) local own = ("x"):rep(1e6) .. n return f(n + 1) .. own end f(1)`, little, "Memory"},
	{"texts in upvalues", `local last for i = 1, 1e9 do local s, before = ("x"):rep(1e4) .. i, last last = function() return s, before end end`, little, "Memory"},
	{"texts in coroutines", `local t = {} for i = 1, 1e9 do t[i] = coroutine.wrap(function(s) coroutine.yield() return s end) t[i](("x"):rep(1e5) .. i) end`, little, "Memory"},
	{"texts as keys", `local t = {} for i = 1, 1e9 do t[("x"):rep(1000) .. i] = true end`, little, "Memory"},
	{"keys set and cleared", `local t = {} for i = 1, 1e9 do t["key " .. i] = true t["key " .. i] = nil end`, little, "Memory"},
	{"tables", `local t for i = 1, 1e9 do t = {t} end`, little, "Memory"},
	{"tables with fields", `local t for i = 1, 1e9 do t = {t, a = 1, b = 2} end`, vm.Limits{}, "Memory"},
	{"tables in a ring", `local t = {} for i = 1, 1e9 do local u = {t} t[1] = u t = u t.first = u end`, short, "Instructions"},
	{"closures", `local f for i = 1, 1e9 do local g = f f = function() return g end end`, little, "Memory"},
	{"globals", `for i = 1, 1e9 do _G["g" .. i] = i end`, little, "Memory"},
	{"metatables", `local t = {} for i = 1, 1e9 do t = setmetatable({}, {t}) end`, little, "Memory"},
	{"chunks", `local t = {} for i = 1, 1e9 do t[i] = assert(loadstring("return {" .. ("1,"):rep(1000) .. i .. "}")) end`, vm.Limits{Instructions: 1e7}, "Instructions"},
	{"depth with values", `local function f(n) local a, b, c, d, e, g, h, i, j, k = n, n, n, n, n, n, n, n, n, n return 1 + f(n + 1) end assert(not pcall(f, 1))`, vm.Limits{}, ""},
	{"concat", `local t, s = {}, ("x"):rep(1e5) for i = 1, 1000 do t[i] = s end table.concat(t)`, vm.Limits{}, "StringBytes"},
	{"concat with separator", `table.concat({"", "", ""}, ("x"):rep(1e7))`, vm.Limits{}, "StringBytes"},
	{"concat of the whole range", `pcall(table.concat, setmetatable({}, {__index = function() return "" end}), "", 1, 2^53) local t = {} for i = 1, 1e5 do t[i] = "" end for i = 1, 1e9 do table.concat(t) end`, short, "Instructions"},
	{"insert in front", `local t = {} for i = 1, 1e9 do table.insert(t, 1, i) end`, vm.Limits{Instructions: 1e7}, "Instructions"},
	{"remove from the front", `local t = {} for i = 1, 1e5 do t[i] = i end while #t > 0 do table.remove(t, 1) end`, vm.Limits{Instructions: 1e7}, "Instructions"},
	{"insert far below", `table.insert({1}, -2^53, 1)`, short, "Instructions"},
	{"sort", `local t = {} for i = 1, 1e5 do t[i] = -i end for i = 1, 1e9 do table.sort(t, function(a, b) return a < b end) end`, vm.Limits{Instructions: 1e7}, "Instructions"},
	{"sort of an impossible order", `local n = 0 assert(not pcall(table.sort, {3, 2, 1, 5, 4}, function() return true end))`, vm.Limits{}, ""},
	{"maxn", `local t = {} for i = 1, 1e5 do t[i] = i end for i = 1, 1e9 do table.maxn(t) end`, vm.Limits{Instructions: 1e7}, "Instructions"},
	{"format", `for i = 1, 1e9 do ("%99.99f"):format(1e300) end`, short, "Instructions"},
	{"format of long texts", `local s, f = ("x"):rep(1e6), ("%s"):rep(20) f:format(s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s)`, vm.Limits{}, "StringBytes"},
	{"format with %q", `("%q"):format(("\0"):rep(1e7))`, vm.Limits{}, "StringBytes"},
	{"byte and char", `local s = ("x"):rep(7000) for i = 1, 1e9 do string.char(s:byte(1, -1)) end`, short, "Instructions"},
	{"upper, lower, reverse", `local s = ("x"):rep(1e6) for i = 1, 1e9 do s:upper():lower():reverse() end`, short, "Instructions"},
	{"plain find", `local s = ("x"):rep(1e6) for i = 1, 1e9 do s:find("y", 1, true) end`, short, "Instructions"},
	{"plain find of nearly", `local s, p = ("x"):rep(1e6), ("x"):rep(5e5) .. "y" for i = 1, 1e9 do s:find(p, 1, true) end`, short, "Instructions"},
	{"equal texts", `local a, b = ("x"):rep(4e6), ("x"):rep(4e6) while a == b do end`, short, "Instructions"},
	{"texts in order", `local a, b = ("x"):rep(4e6), ("x"):rep(4e6) while a <= b do end`, short, "Instructions"},
	{"long key", `local t, k = {}, ("x"):rep(4e6) while not t[k] do end`, short, "Instructions"},
	{"text to number", `local s = ("1"):rep(1e6) for i = 1, 1e9 do tonumber(s) end`, short, "Instructions"},
	{"text to number by base", `local s = ("1"):rep(1e6) for i = 1, 1e9 do tonumber(s, 7) end`, short, "Instructions"},
	{"text in arithmetic", `local s = ("1"):rep(1e6) for i = 1, 1e9 do local x = s + 1 end`, short, "Instructions"},
	{"spaces to number", `local s = (" "):rep(1e6) for i = 1, 1e9 do tonumber(s) end`, short, "Instructions"},
	{"print", `for i = 1, 1e9 do print(("x"):rep(1000)) end`, vm.Limits{}, "Output"},
	{"print of empty lines", `for i = 1, 1e9 do print() end`, vm.Limits{}, "Output"},
	{"print of one long line", `local s = ("x"):rep(9e5) print(s, s, s)`, vm.Limits{}, "Output"},
	{"long messages", `local s = ("x"):rep(1e6) for i = 1, 1e9 do pcall(error, s) pcall(error, s, 0) pcall(assert, false, s) end`, vm.Limits{Instructions: 1e6}, "Instructions"},
	{"long names in messages", `local s = ("x"):rep(1e6) for i = 1, 1e9 do pcall(require, s) pcall(setmetatable, s) pcall(function() return s.x.y end) end`, vm.Limits{Instructions: 1e6}, "Instructions"},
	{"messages around messages", `local s = "x" while true do s = select(2, pcall(error, s .. s)) end`, vm.Limits{}, "StringBytes"},
	{"load", `for i = 1, 1e9 do load("return " .. i) end`, vm.Limits{Instructions: 1e6}, "Instructions"},
	{"load of pieces", `load(function() return ("x"):rep(1e6) end)`, vm.Limits{}, ""},
	{"load of nothing for ever", `load(function() return " " end)`, short, "Instructions"},
	{"power that does not grow", `assert((-1) ^ 2^53 == 1 and math.pow(-1, 2^53 - 1) == -1 and 1 ^ 2^53 == 1)`, short, ""},
	{"random", `for i = 1, 1e9 do math.random(2^53) math.randomseed(i) end`, short, "Instructions"},
	{"date", `for i = 1, 1e9 do os.date(("%c"):rep(1e5), i) end`, vm.Limits{Instructions: 1e6}, "Instructions"},
	{"date of long texts", `os.date(("%d"):rep(6e5))`, vm.Limits{}, "StringBytes"},
	{"goto", `::top:: goto top`, short, "Instructions"},
	{"step of zero", `for i = 1, 2, 0 do end`, short, ""},
	{"steps that do not move", `for i = 2^53, 2^53 + 2 do end`, short, "Instructions"},
}

// around are ways to catch an error; %s is a function that fails.
var around = []string{
	`local F = %s F()`,
	`while true do pcall(%s) break end error("caught")`,
	`xpcall(%s, function() end) error("caught")`,
	`coroutine.resume(coroutine.create(%s)) error("caught")`,
	`local F = %s pcall(function() return setmetatable({}, {__index = F}).x end) error("caught")`,
	`local F = %s pcall(tostring, setmetatable({}, {__tostring = F})) error("caught")`,
	`pcall(table.sort, {1, 2}, %s) error("caught")`,
	`pcall(string.gsub, "x", ".", %s) error("caught")`,
	`load(%s) error("caught")`,
	`local F = %s pcall(function() for _ in F do end end) error("caught")`,
	`xpcall(error, %s) error("caught")`,
	`local ok, e = pcall(coroutine.wrap(function() return xpcall(function() return pcall(%s) end, print) end)) error("caught")`,
}

func TestHostileScripts(t *testing.T) {
	for _, c := range append(hostile, more...) {
		t.Run(c.name, func(t *testing.T) {
			limit, err, allocated := runHostile(t, c.source, c.limits)
			switch c.limit {
			case "":
				require.NoError(t, err)
			case fails:
				require.ErrorAs(t, err, new(*vm.Error))
				c.limit = ""
			}
			require.Equal(t, c.limit, limit, "%v", err)
			require.Less(t, allocated, uint64(600<<20))
			t.Logf("%d MB", allocated>>20)
		})
	}
}

// TestNothingCatchesHostileScripts: what stops a script cannot be caught, wherever it happens.
func TestNothingCatchesHostileScripts(t *testing.T) {
	for _, source := range []string{`local s = "x" while true do s = s .. s end`, `("a"):rep(3000):find("a*a*a*a*b")`, `("x"):rep(1e10)`, `print(("x"):rep(2e6))`, `while true do end`} {
		for _, wrap := range around {
			limit, err, _ := runHostile(t, strings.Replace(wrap, "%s", "function() "+source+" end", 1), short)
			require.NotEmpty(t, limit, "%s in %s: %v", source, wrap, err)
		}
	}
}

// runHostile runs a script and says which limit stopped it, if one did.
func runHostile(t *testing.T, source string, limits vm.Limits) (limit string, err error, allocated uint64) {
	if limits.Turn == 0 {
		limits.Turn = time.Hour // how fast the machine is must not matter
	}
	if limits.Instructions == 0 {
		limits.Instructions = 1e8 // the limit that is tested comes first
	}
	var out strings.Builder
	s := vm.New(vm.Config{Limits: limits, Print: func(line string) { out.WriteString(line) }})
	defer s.Close()
	OpenString(s)
	OpenTable(s)
	OpenMath(s, nil)
	OpenOS(s, zero(), zero)
	OpenJSON(s)
	chunk, err := vm.Compile("hostile.lua", `local json = require "json"; `+source, limits)
	require.NoError(t, err)
	fn := s.Load(chunk)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	defer func() {
		runtime.ReadMemStats(&after)
		allocated = after.TotalAlloc - before.TotalAlloc
		switch r := recover().(type) {
		case nil:
		case *vm.LimitError:
			limit, err = r.Limit, r
		default:
			panic(r)
		}
		if limit != "Memory" { // coroutines that wait still hold it
			again(t, s)
		}
	}()
	_, err = s.Call(fn)
	return
}

// again says that the state is as good as before.
func again(t *testing.T, s *vm.State) {
	t.Helper()
	s.Refill()
	chunk, err := vm.Compile("again.lua", `local t = {} for i = 1, 10 do t[i] = pcall(error, i) and 0 or ("x"):rep(i) end return #t`, vm.Limits{})
	require.NoError(t, err)
	out, err := s.Call(s.Load(chunk))
	require.NoError(t, err)
	require.Equal(t, []lua.LValue{lua.LNumber(10)}, out)
}

func zero() time.Time { return time.Unix(1e9, 0) }
