package vm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMessages holds error texts against lua5.1's.
func TestMessages(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{`foo()`, `attempt to call global 'foo' (a nil value)`},
		{`local a; a()`, `attempt to call local 'a' (a nil value)`},
		{`local a = {}; a.x()`, `attempt to call field 'x' (a nil value)`},
		{`local a = {}; a:x()`, `attempt to call method 'x' (a nil value)`},
		{`local a; (function() a() end)()`, `attempt to call upvalue 'a' (a nil value)`},
		{`(nil)()`, `attempt to call a nil value`},
		{`local a = {}; return (a.x or a.y)()`, `attempt to call a nil value`},
		{`for x in nil do end`, `attempt to call a nil value`},
		{`return foo.x`, `attempt to index global 'foo' (a nil value)`},
		{`local a; return a.x`, `attempt to index local 'a' (a nil value)`},
		{`local a; a.x = 1`, `attempt to index local 'a' (a nil value)`},
		{`local a = {}; return a.b.c`, `attempt to index field 'b' (a nil value)`},
		{`local a = {}; a.b.c = 1`, `attempt to index field 'b' (a nil value)`},
		{`local a = 1; return a.x`, `attempt to index local 'a' (a number value)`},
		{`local a; return (function() return a.x end)()`, `attempt to index upvalue 'a' (a nil value)`},
		{`local a = {}; return a.x + 1`, `attempt to perform arithmetic on field 'x' (a nil value)`},
		{`local a; return 1 + a`, `attempt to perform arithmetic on local 'a' (a nil value)`},
		{`local a; return -a`, `attempt to perform arithmetic on local 'a' (a nil value)`},
		{`return 2 ^ {}`, `attempt to perform arithmetic on a table value`},
		{`local s = "x"; return s * 2`, `attempt to perform arithmetic on local 's' (a string value)`},
		{`local s, n = "1"; return s * n`, `attempt to perform arithmetic on local 'n' (a nil value)`},
		{`return #x`, `attempt to get length of global 'x' (a nil value)`},
		{`local a, b = "x"; return a .. b`, `attempt to concatenate local 'b' (a nil value)`},
		{`local a, b = "x"; return b .. a`, `attempt to concatenate local 'b' (a nil value)`},
		{`return "x" .. {}`, `attempt to concatenate a table value`},
		{`return y .. "x"`, `attempt to concatenate global 'y' (a nil value)`},
		{`return 1 < "2"`, `attempt to compare number with string`},
		{`return {} < {}`, `attempt to compare two table values`},
		{`return nil <= nil`, `attempt to compare two nil values`},
		{`for i = 1, "x" do end`, `'for' limit must be a number`},
		{`for i = {}, 2 do end`, `'for' initial value must be a number`},
		{`for i = 1, 2, {} do end`, `'for' step must be a number`},
		{`local t = {} t[nil] = 1`, `table index is nil`},
		{`local t = {} t[0/0] = 1`, `table index is NaN`},
		{`setmetatable(1, {})`, `bad argument #1 to 'setmetatable' (table expected, got number)`},
		{`setmetatable({})`, `bad argument #2 to 'setmetatable' (nil or table expected)`},
		{`ipairs()`, `bad argument #1 to 'ipairs' (table expected, got no value)`},
		{`unpack({}, 1, 1e8)`, `too many results to unpack`},
		{`local t = setmetatable({}, {__index = function() error("deep") end}) return t.x`, `deep`},
		{`assert(false)`, `assertion failed!`},
		{`assert(nil, "why")`, `why`},
		{`error("one")`, `one`},
		{`io.open("x")`, `io.open is not available here: do input and output in an activity (flow.activity)`},
		{`dofile("x")`, `dofile is not available here: use require`},
	} {
		t.Run(c.code, func(t *testing.T) {
			_, err := run(t, "\n"+c.code, Limits{})
			require.EqualError(t, err, "test.lua:2: "+c.want)
		})
	}
}

// TestErrorLevels: the function that is to blame is the one that the level names, over protected calls and tail calls.
func TestErrorLevels(t *testing.T) {
	require.Equal(t, `test.lua:3: two
two
test.lua:5: three
x
x
table`, trimmed(lines(t, `local function blame(level) error(level == 2 and "two" or "three", level) end
local function two()
  blame(2) return 1 end
print(select(2, pcall(two)))
local function three() two2() return 1 end function two2() blame(3) return 1 end
print(select(2, pcall(function() return blame(2) end)))
print(select(2, pcall(three)))
print(select(2, pcall(error, "x")))
print(select(2, pcall(function() error("x", 0) end)))
print(type(select(2, pcall(error, {}))))`)))
}

func TestTraceback(t *testing.T) {
	source := `local function inner() error("boom") end
local function middle() inner() return 1 end
local co = coroutine.wrap(function() middle() return 1 end)
local t = setmetatable({}, {__index = function() return co() end})
function outer() local ok, v = xpcall(function() return t.x end, function(m) error(m, 0) end) co() end
local function tail() return inner() end
local function run() tail() return 1 end
run()`
	_, err := run(t, source, Limits{})
	var failed *Error
	require.ErrorAs(t, err, &failed)
	require.Equal(t, `test.lua:1: boom
stack traceback:
	[C]: in function 'error'
	test.lua:1: in function <test.lua:1>
	(tail call): ?
	test.lua:7: in function 'run'
	test.lua:8: in main chunk`, failed.Traceback())

	_, err = run(t, source[:len(source)-len("run()")]+`local function go() return t.x .. "" end go()`, Limits{})
	require.ErrorAs(t, err, &failed)
	require.Equal(t, `test.lua:4: test.lua:1: boom
stack traceback:
	[C]: in function 'error'
	test.lua:1: in function 'inner'
	test.lua:2: in function 'middle'
	test.lua:3: in function <test.lua:3>
	[C]: in function 'co'
	test.lua:4: in function <test.lua:4>
	test.lua:8: in function 'go'
	test.lua:8: in main chunk`, failed.Traceback())
}

func TestTracebackIsCapped(t *testing.T) {
	_, err := run(t, `local function down(n) if n == 0 then error("bottom") end down(n - 1) return 1 end
local function start() down(500) return 1 end
start()`, Limits{})
	var failed *Error
	require.ErrorAs(t, err, &failed)
	require.Len(t, failed.Frames, traceTop+1+traceEnd)
	require.Equal(t, "[C]: in function 'error'", failed.Frames[0].String())
	require.Equal(t, "...", failed.Frames[traceTop].String())
	require.Equal(t, "test.lua:3: in main chunk", failed.Frames[traceTop+traceEnd].String())
	require.Equal(t, "test.lua:2: in function 'start'", failed.Frames[traceTop+traceEnd-1].String())
}

func TestTracebackOfManyTailCalls(t *testing.T) {
	_, err := run(t, `local function loop(n) if n == 0 then error("end") end return loop(n - 1) end
local function start() loop(1000000) return 1 end
start()`, Limits{})
	var failed *Error
	require.ErrorAs(t, err, &failed)
	require.Equal(t, `stack traceback:
	[C]: in function 'error'
	test.lua:1: in function <test.lua:1>
	(tail call): ?
	test.lua:2: in function 'start'
	test.lua:3: in main chunk`, Traceback(failed.Frames))
}
