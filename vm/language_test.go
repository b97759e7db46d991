package vm

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

// TestLanguage has a case for each kind of program that gopher-lua computes wrongly; the results are lua5.1's.
func TestLanguage(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"and to itself", `local function no() return false end local ok = true ok = no() and ok print(ok)`, "false"},
		{"or of a comparison", `local a, b = 1, 2 a = a > b or nil print(a)`, "nil"},
		{"not in and", `local x = 5 x = not x and 1 print(x)`, "false"},
		{"swap", `local a, b = 1, 2 a, b = b, a print(a, b)`, "2\t1"},
		{"fibonacci", `local a, b = 0, 1 for i = 1, 10 do a, b = b, a + b end print(a, b)`, "55\t89"},
		{"field and local", `local t, a = {}, 1 t.x, a = a, 2 print(t.x, a)`, "1\t2"},
		{"index and its table", `local i, t = 1, {} i, t[i] = i + 1, 20 print(i, t[1], t[2])`, "2\t20\tnil"},
		{"list reversal", `local l for i = 1, 3 do l = {n = i, next = l} end local r while l do l.next, r, l = r, l, l.next end print(r.n, r.next.n, r.next.next.n)`, "1\t2\t3"},
		{"last parameter", `local function trim(s) s = (s:gsub("^%s+", "")) return s end print(trim("  x"))`, "x"},
		{"concat of the last parameter", `local function f(p) p = p .. "!" return p end print(f("x"))`, "x!"},
		{"parenthesised varargs", `local function f(...) local a, b = 1, 2 a = (...) return a, b end print(f(7, 8))`, "7\t2"},
		{"generic for with one value", `local n = 0 local function it(s, c) n = n + 1 assert(s == nil) if n < 3 then return n end end for x in it do assert(x == n) end print(n)`, "3"},
		{"break first in a loop", `local n = 0 for i = 1, 3 do n = n + 1 for _ in pairs({1}) do break end for _ in pairs({1}) do break end end print(n)`, "3"},
		{"goto first in a loop", `local n = 0 for i = 1, 3 do goto next n = 100 ::next:: n = n + 1 end print(n)`, "3"},
		{"label and goto", `local n = 0 ::top:: n = n + 1 if n < 3 then goto top end print(n)`, "3"},
		{"false first in a loop", `local s = "" for i = 1, 3 do if false then s = "no" end s = s .. i end print(s)`, "123"},
		{"literal conditions", `local n = 0 while false or n < 2 do n = n + 1 end repeat n = n + 1 until true print(n, nil and 1, 1 and nil, not nil, not 1, false or 2)`, "3\tnil\tnil\ttrue\tfalse\t2"},
		{"elseif chain of literals", `local r if nil then r = 1 elseif false then r = 2 elseif 1 then r = 3 else r = 4 end print(r)`, "3"},
		{"constructor of 50", `local function f() return 51, 52 end local t = {` + numbers(50) + ` f()} print(#t, t[1], t[50], t[52])`, "52\t1\t50\t52"},
		{"constructor with key after 50", `local t = {` + numbers(60) + ` a = 7, 61} print(#t, t[1], t.a, t[61])`, "61\t1\t7\t61"},
		{"constructor with varargs", `local function f(...) return {` + numbers(50) + ` ...} end print(#f(1, 2, 3))`, "53"},
		{"constructor with a call under the last key", `local function f() return 1, 2, 3 end local t = {10, k = f()} print(#t, t[1], t[2], t.k)`, "1\t10\tnil\t1"},
		{"pcall and upvalues", `local tries = 0 local function try() tries = tries + 1 if tries < 3 then error("again") end return tries end repeat local ok, v = pcall(try) until ok print(tries)`, "3"},
		{"closure outlives an error", `local inc do local n = 0 function inc() n = n + 1 return n end pcall(error) inc() end pcall(function() inc() error() end) print(inc())`, "3"},
		{"error in a deep pcall", `local function f(n) if n == 0 then error("bottom", 0) end local v = n pcall(f, n - 1) return function() return v end end print(f(50)())`, "50"},
		{"closures in loops", `local f = {} for i = 1, 3 do f[i] = function() i = i + 10 return i end end print(f[1](), f[1](), f[2]())`, "11\t21\t12"},
		{"adjusted calls", `local function f() return 1, 2 end local t = {f(), (f()), f()} print(#t, (f()))`, "4\t1"},
		{"return adjusted", `local function f() return 1, 2 end local function g() return (f()) end print(g())`, "1"},
		{"concat is one value", `local function f() return "a", "b" end print("x" .. f(), "x" .. f() .. "y")`, "xa\txay"},
		{"concat of numbers", `print(1 .. 2, 0.1 .. "", 1e15 .. "", -1 / 3 .. "", 2 ^ 53 .. "")`, "12\t0.1\t1e+15\t-0.33333333333333\t9.007199254741e+15"},
		{"concat is right associative", `local o = setmetatable({}, {__concat = function(a, b) return (type(a) == "table" and "o" or a) .. "|" .. (type(b) == "table" and "o" or b) end})
			print("a" .. "b" .. o, o .. "a" .. "b", ("a" .. o) .. "b", o .. o)`, "ab|o\to|ab\ta|ob\to|o"},
		{"precedence", `print(2 ^ 3 ^ 2, -2 ^ 2, not 1 == 2, "a" .. "b" == "ab", 2 .. 3 + 4)`, "512\t-4\tfalse\ttrue\t27"},
		{"string arithmetic", `print("010" + 0, "0x10" + 0, "1e1" * "2", -"2", 10 % "3", "7" / 2, 2 ^ "3")`, "10\t16\t20\t-2\t1\t3.5\t8"},
		{"string and metamethod", `print("a" + setmetatable({}, {__add = function(a, b) return a end}))`, "a"},
		{"numeric literals", `print(0010, 0xff, 1e2, .5, 3., 0xA)`, "10\t255\t100\t0.5\t3\t10"},
		{"number text", `print(1/3, 1e14, 123456789012345, 1e-5, 100, -0.5, 1e100, 1/0, -1/0, 3.14159265358979)`, "0.33333333333333\t1e+14\t1.2345678901234e+14\t1e-05\t100\t-0.5\t1e+100\tinf\t-inf\t3.1415926535898"},
		{"tonumber", `print(tonumber("1e5"), tonumber("9999999999999999999"), tonumber("-0x10"), tonumber("10\r"), tonumber("0b1"), tonumber("1_0"), tonumber(" 7 "), tonumber("7z"))`,
			"100000\t1e+19\t-16\t10\tnil\tnil\t7\tnil"},
		{"tonumber with base", `print(tonumber("ff", 16), tonumber("0xff", 16), tonumber("zz", 36), tonumber("8", 8), tonumber(" 11 ", 2), tonumber(10, 2))`, "255\t255\t1295\tnil\t3\t2"},
		{"select", `print(select("#"), select("#", nil, nil), select(-1, 1, 2)) print(select(2, "a", "b", "c"))`, "0\t2\t2\nb\tc"},
		{"next", `local t = {10, 20, a = 1} local n = 0 for k in next, t do n = n + 1 end print(n, next({}), next({5}))
			print(pcall(next, {a = 1, b = 2, c = 3}, "x"))`, "3\tnil\t1\t5\nfalse\tinvalid key to 'next'"},
		{"clearing while iterating", `local t = {} for i = 1, 50 do t["k" .. i] = i end local n = 0 for k in pairs(t) do t[k] = nil n = n + 1 end print(n, next(t))`, "50\tnil"},
		{"metatables", `print(pcall(setmetatable, "", {}), pcall(setmetatable, print, {}))
			local p = setmetatable({}, {__metatable = "locked"}) print(getmetatable(p), pcall(setmetatable, p, {})) print(type(getmetatable("")))`,
			"false\tfalse\tbad argument #1 to '?' (table expected, got function)\nlocked\tfalse\tcannot change a protected metatable\ntable"},
		{"identity texts", `local a, b = {}, {} print(tostring(a) == tostring(a), tostring(a) ~= tostring(b), (tostring(print):match("^function: 0x%x+$")) ~= nil)`, "true\ttrue\ttrue"},
		{"xpcall", `print(xpcall(function(...) return ... end, print, 1, 2)) print(xpcall(error, function(m) return m .. "!" end, "e", 0)) print(xpcall(error, error, "x"))`,
			"true\t1\t2\nfalse\te!\nfalse\terror in error handling"},
		{"pcall of no function", `print(pcall(nil)) print(pcall({}))`, "false\tattempt to call a nil value\nfalse\tattempt to call a table value"},
		{"error values", `print(pcall(error)) print(select("#", pcall(error))) local e = {} print(select(2, pcall(error, e)) == e)`, "false\tnil\n2\ntrue"},
		{"load", `print(loadstring("return 1 + 1")()) print(loadstring("x =")) local n = 0 print(load(function() n = n + 1 return ({"return ", "4", nil})[n] end)()) print(load("return ...")(5))`,
			"2\nnil\t[string \"x =\"]:1: unexpected symbol near '<eof>'\n4\n5"},
		{"load of a broken reader", `print(load(function() error("r", 0) end)) print(load(function() return {} end))`, "nil\tr\nnil\ttest.lua:1: reader function must return a string"},
		{"tail calls", `local function loop(n) if n == 0 then return "done" end return loop(n - 1) end print(loop(200000))`, "done"},
		{"deep recursion", `local function sum(n) if n == 0 then return 0 end return n + sum(n - 1) end print(sum(15000))`, "112507500"},
		{"stack overflow", `local function f() return 1 + f() end local ok, e = pcall(f) print(ok, e) print(pcall(f)) print(1)`, "false\ttest.lua:1: stack overflow (more than 16000 calls or 262144 values: Limits.CallDepth)\nfalse\ttest.lua:1: stack overflow (more than 16000 calls or 262144 values: Limits.CallDepth)\n1"},
		{"overflow of values", `local function f(...) return f(1, ...) end local ok, e = pcall(f) print(ok, e:match("stack overflow"))`, "false\tstack overflow"},
		{"overflow in metamethods", `local t t = setmetatable({}, {__index = function(_, k) return (t[k]) end}) local ok, e = pcall(function() return t.a end) print(ok, e:match("stack overflow"))
			local u = setmetatable({}, {__tostring = tostring}) print((select(2, pcall(tostring, u)):match("stack overflow")))`, "false\tstack overflow\nstack overflow"},
		{"deep after an overflow", `local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end pcall(f, 1e9) local s = 0 for i = 1, 200 do s = s + f(i * 9) end print(s)`, "180900"},
		{"arg", `local function f(...) return arg.n, arg[2] end print(f("a", "b"))`, "2\tb"},
		{"goto continue", `for i = 1, 3 do for j = 1, 3 do if j == 2 then goto continue end io.write(i, j, " ") ::continue:: end end print()`, "11 13 21 23 31 33 "},
		{"method on a string", `print(("x"):rep(3), #("abc"):upper())`, "xxx\t3"},
		{"collectgarbage", `print(collectgarbage(), collectgarbage("count"))`, "0\t0"},
		{"print", `print() print(nil, true, {} ~= nil) print(pcall(print, setmetatable({}, {__tostring = function() return {} end})))`, "\nnil\ttrue\ttrue\nfalse\t'tostring' must return a string to 'print'"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, trimmed(lines(t, c.code))) })
	}
}

func numbers(n int) string {
	out := ""
	for i := range n {
		out += FormatNumber(float64(i+1)) + ", "
	}
	return out
}

func TestRequire(t *testing.T) {
	modules := fstest.MapFS{
		"a.lua":          {Data: []byte(`loads = (loads or 0) + 1 return {name = ..., b = require "lib.b"}`)},
		"lib/b.lua":      {Data: []byte(`return "b"`)},
		"pkg/init.lua":   {Data: []byte(`return "pkg"`)},
		"quiet.lua":      {Data: []byte(``)},
		"c1.lua":         {Data: []byte(`return require "c2"`)},
		"c2.lua":         {Data: []byte(`return require "c1"`)},
		"broken.lua":     {Data: []byte("\nx = = 1")},
		"fails.lua":      {Data: []byte("tries = (tries or 0) + 1 if tries < 2 then error('first') end return tries")},
		"waits.lua":      {Data: []byte("coroutine.yield() return 'waited'")},
		"stops.lua":      {Data: []byte("coroutine.yield() error('stopped', 0)")},
		"secret/../x.go": {Data: []byte(`return 1`)},
	}
	for _, c := range []struct{ code, want string }{
		{`local a = require "a" return a.name .. a.b .. loads .. tostring(require "a" == a) .. loads`, "ab1true1"},
		{`return require "pkg"`, "pkg"},
		{`return tostring(require "quiet")`, "true"},
		{`return require "go"`, "from Go"},
		{`return select(2, pcall(require, "c1"))`, "c2.lua:1: module 'c1' requires itself: c1 → c2 → c1"},
		{`local one = coroutine.wrap(function() return require "waits" end)
			one()
			local _, err = pcall(require, "waits")
			return err .. " / " .. one() .. " / " .. require "waits"`,
			"module 'waits' is still being loaded elsewhere, where its file waits for something: require it before, or let it wait in a function / waited / waited"},
		{`local one = coroutine.wrap(function() return pcall(require, "stops") end)
			local two = coroutine.wrap(function() return require "waits" end)
			one() two() one() two()
			one = coroutine.wrap(function() return select(2, pcall(require, "stops")) end)
			one()
			return one()`, "stopped"},
		{`return select(2, pcall(require, "broken"))`, "error loading module 'broken' from file 'broken.lua':\n\tbroken.lua:2: unexpected symbol near '='"},
		{`return select(2, pcall(require, "no.such"))`, "module 'no.such' not found:\n\tno module 'no.such' comes with flowlua\n\tno file 'no/such.lua'\n\tno file 'no/such/init.lua'"},
		{`pcall(require, "fails") return require "fails"`, "2"},
		{`return select(2, pcall(require, "../etc/passwd"))`, `module name '../etc/passwd' is not valid: use names separated by dots, as in require "lib.orders"`},
		{`return select(2, pcall(require, "/etc/passwd"))`, `module name '/etc/passwd' is not valid: use names separated by dots, as in require "lib.orders"`},
		{`return select(2, pcall(require, ""))`, `module name '' is not valid: use names separated by dots, as in require "lib.orders"`},
	} {
		s := New(Config{Modules: modules})
		s.Preload("go", func(*lua.LState) lua.LValue { return lua.LString("from Go") })
		out, err := s.Call(s.Load(compile(t, c.code)))
		require.NoError(t, err, c.code)
		require.Equal(t, c.want, out[0].String(), c.code)
		s.Close()
	}
}
