---@meta base

---What every script has without `require`: Lua 5.1's base library. Not there, because they would reach outside of the
---run: `dofile`, `loadfile`, `io`; using one says what to do instead. Of `debug` and `package` there is what libraries look at.

---The table of global variables.
---```lua
---_G._G == _G --> true
---```
---@type table
_G = {}

---```lua
---_VERSION --> Lua 5.1
---```
---@type string
_VERSION = "Lua 5.1"

---Raises message (any value; "assertion failed!" if there is none) if v is false or nil; else returns all its arguments.
---```lua
---assert(1, "unused") --> 1	unused
---pcall(assert, false, "no luck") --> false	no luck
---```
---@generic T
---@param v? T
---@param message? any
---@return T
---@return any ...
function assert(v, message, ...) end

---Does nothing: memory belongs to the engine, and what is used may not steer a script. All options return 0.
---```lua
---collectgarbage("count") --> 0
---```
---@param option? string
---@param value? number
---@return number
function collectgarbage(option, value) end

---Raises an error. A text gets the place of the caller in front: of the function that called error (level 1), of the one
---that called that (2), or none (0).
---```lua
---pcall(error, { code = 7 }) --> false	table: 0x00000001
---pcall(function() error("broken", 0) end) --> false	broken
---```
---@param message? any
---@param level? integer
function error(message, level) end

---What Lua 5.0 had before `collectgarbage("count")`: 0 here, too.
---```lua
---gcinfo() --> 0
---```
---@deprecated
---@return number
function gcinfo() end

---The table of globals that a function has, or that of the function at a level (1: the caller).
---```lua
---getfenv(1) == _G --> true
---getfenv(setfenv(function() end, { a = 1 })).a --> 1
---```
---@param f? function|integer
---@return table
function getfenv(f) end

---The metatable of a value, or its `__metatable` field if it has one.
---```lua
---getmetatable({}) --> nil
---getmetatable(setmetatable({}, { __metatable = "locked" })) --> locked
---```
---@param value any
---@return any
function getmetatable(value) end

---For `for i, v in ipairs(t)`: the values at 1, 2, … up to the first nil.
---```lua
---for i, v in ipairs({ "a" }) do print(i, v) end --> 1	a
---```
---@param t table
---@return fun(t: table, i: integer): integer, any
---@return table t
---@return integer
function ipairs(t) end

---Compiles a text, or the pieces that a function returns until nil or "". Returns nil and the error if it is not Lua.
---```lua
---load("return 1 + 1")() --> 2
---print((load("x =="))) --> nil
---```
---@param chunk string|fun(): string?
---@param name? string
---@return function?
---@return string? problem
function load(chunk, name) end

---Compiles a text.
---```lua
---loadstring("return ...")("a") --> a
---```
---@param text string
---@param name? string
---@return function?
---@return string? problem
function loadstring(text, name) end

---Makes the rest of a module's file have the globals of a table of that name, which is what `require` gives: Lua 5.1's
---old way to write a module. New ones return a table.
---```lua
---pcall(module) --> false	bad argument #1 to '?' (string expected, got no value)
---```
---@param name string
---@param ... fun(module: table)
function module(name, ...) end

---A userdata without content; with true, one that has an empty metatable.
---```lua
---type(newproxy()) --> userdata
---getmetatable(newproxy(true)) ~= nil --> true
---```
---@param meta? boolean
---@return userdata
function newproxy(meta) end

---The key after this one, with its value; the first if key is nil; nil after the last. Keys come in the order in which they
---were first stored, 1 to n first: the same in every replay.
---```lua
---next({ 5 }) --> 1	5
---next({}) --> nil
---```
---@param t table
---@param key? any
---@return any key
---@return any value
function next(t, key) end

---For `for k, v in pairs(t)`: all pairs, in the order of next. Fields may be set to nil meanwhile, not added.
---```lua
---for k, v in pairs({ a = 1 }) do print(k, v) end --> a	1
---```
---@param t table
---@return fun(t: table, key: any): any, any
---@return table t
---@return nil
function pairs(t) end

---Calls fn; returns true and its results, or false and the error. Fn may wait. The engine's own ends (limits, the end of the
---run) pass through.
---```lua
---pcall(tostring, 1) --> true	1
---pcall(error, "x") --> false	x
---```
---@async
---@param fn function
---@param ... any
---@return boolean ok
---@return any ...
function pcall(fn, ...) end

---Prints the arguments as tostring gives them, with tabs between. It is silent in a replay.
---```lua
---print(1, nil, "a") --> 1	nil	a
---```
---@param ... any
function print(...) end

---Equality without `__eq`.
---```lua
---rawequal("a", "a") --> true
---```
---@param a any
---@param b any
---@return boolean
function rawequal(a, b) end

---t[key] without `__index`.
---```lua
---rawget(setmetatable({}, { __index = { a = 1 } }), "a") --> nil
---```
---@param t table
---@param key any
---@return any
function rawget(t, key) end

---t[key] = value without `__newindex`; returns t.
---```lua
---rawset({}, "a", 1).a --> 1
---```
---@param t table
---@param key any
---@param value any
---@return table
function rawset(t, key, value) end

---Loads a module once and returns what it returned: one of flowlua's ("flow", "json"), or a file beside the script: "a.b" is
---a/b.lua or a/b/init.lua, never outside of the script's directory.
---```lua
---pcall(function() return require("not_there") end) == false --> true
---```
---@param name string
---@return any
function require(name) end

---The arguments from the n-th on (from the end if negative); with "#" their number.
---```lua
---select(2, "a", "b", "c") --> b	c
---select("#", nil, nil) --> 2
---```
---@param n integer|"#"
---@param ... any
---@return any ...
function select(n, ...) end

---Gives a Lua function, or the one at a level (1: the caller), another table of globals, and returns the function.
---```lua
---setfenv(function() return a end, { a = 5 })() --> 5
---```
---@param f function|integer
---@param globals table
---@return function
function setfenv(f, globals) end

---Sets the metatable of a table and returns the table.
---```lua
---setmetatable({}, { __index = { a = 1 } }).a --> 1
---```
---@generic T: table
---@param t T
---@param meta? table
---@return T
function setmetatable(t, meta) end

---The number that a text is (decimal, hexadecimal with 0x, or in a base from 2 to 36), else nil.
---```lua
---tonumber("0x10") --> 16
---tonumber("ff", 16) --> 255
---tonumber("ten") --> nil
---```
---@param value any
---@param base? integer
---@return number?
function tonumber(value, base) end

---The text of a value: what `__tostring` gives, numbers with up to 14 digits; tables and functions are numbered within the
---run, so that no address shows.
---```lua
---tostring(1e15) --> 1e+15
---tostring(0.1 + 0.2) --> 0.3
---tostring({}) --> table: 0x00000001
---```
---@param value any
---@return string
function tostring(value) end

---"nil", "boolean", "number", "string", "table", "function", "thread" or "userdata".
---```lua
---type(nil) --> nil
---type({}) --> table
---```
---@param value any
---@return string
function type(value) end

---The values of a list from i (1) to j (#t).
---```lua
---unpack({ 1, 2, 3 }, 2) --> 2	3
---```
---@param t table
---@param i? integer
---@param j? integer
---@return any ...
function unpack(t, i, j) end

---Like pcall; an error goes through handler first, which sees the stack as it was (`debug.traceback` is one).
---```lua
---xpcall(function() error("x", 0) end, function(e) return e .. "!" end) --> false	x!
---```
---@async
---@param fn function
---@param handler fun(err: any): any
---@return boolean ok
---@return any ...
function xpcall(fn, handler) end
