---@meta table

---Lists are tables with values at 1 to n. `#t` is n. For a table with holes (nil between values) `#t` is the
---largest index below 4,194,304 that has a value and was not reached through the hash part: the same in every
---replay, but no rule of Lua's; use a counter of your own where nil is a value (`table.pack` does).
---
---Lua 5.1's library, plus `pack` and `unpack`. The functions are raw: they ignore metamethods of the table.
---@class tablelib
table = {}

---Joins the texts and numbers from i (1) to j (#t).
---```lua
---table.concat({ 1, 2, 3 }, ", ") --> 1, 2, 3
---table.concat({ "a", "b", "c" }, "", 2) --> bc
---```
---@param t table
---@param separator? string|number
---@param i? integer
---@param j? integer
---@return string
function table.concat(t, separator, i, j) end

---Calls fn(key, value) for all pairs until it returns something; returns that.
---```lua
---table.foreach({ a = 1 }, function(k, v) print(k, v) end) --> a	1
---```
---@async
---@deprecated
---@param t table
---@param fn fun(key: any, value: any): any
---@return any
function table.foreach(t, fn) end

---Calls fn(i, value) for 1 to #t until it returns something; returns that.
---```lua
---table.foreachi({ 5, 6 }, function(i, v) if v == 6 then return i end end) --> 2
---```
---@async
---@deprecated
---@param t table
---@param fn fun(i: integer, value: any): any
---@return any
function table.foreachi(t, fn) end

---The same as #t.
---```lua
---table.getn({ 5, 6 }) --> 2
---```
---@deprecated
---@param t table
---@return integer
function table.getn(t) end

---Raises "'setn' is obsolete", as in Lua 5.1.
---```lua
---pcall(table.setn, {}, 1) --> false	'setn' is obsolete
---```
---@deprecated
---@param t table
---@param n integer
function table.setn(t, n) end

---Puts a value at the end, or at position i, moving the ones from there on up.
---```lua
---local t = { "a", "c" }
---table.insert(t, 2, "b")
---table.insert(t, "d")
---table.concat(t) --> abcd
---```
---@param t table
---@param i integer
---@param value any
---@overload fun(t: table, value: any)
function table.insert(t, i, value) end

---The largest positive number among the keys, 0 if there is none.
---```lua
---table.maxn({ [1] = "a", [2.5] = "b" }) --> 2.5
---```
---@param t table
---@return number
function table.maxn(t) end

---A list of the arguments, with their number in n.
---```lua
---local t = table.pack(1, nil, 3)
---print(t.n, t[3]) --> 3	3
---```
---@param ... any
---@return { n: integer, [integer]: any }
function table.pack(...) end

---Takes out the last value, or the one at position i, moving the ones behind it down; returns it. Nothing is
---returned for a position outside of the list.
---```lua
---local t = { "a", "b", "c" }
---print(table.remove(t, 1), table.remove(t), #t) --> a	c	1
---```
---@param t table
---@param i? integer
---@return any
function table.remove(t, i) end

---Sorts in place; values that are equal in order stay in their order. Less says whether its first argument belongs before the
---second (`a < b` if not given); it may wait. One that says so of both (`<=`) is an "invalid order function for sorting".
---```lua
---local t = { "pear", "fig", "apple", "kiwi" }
---table.sort(t)
---table.concat(t, " ") --> apple fig kiwi pear
---table.sort(t, function(a, b) return #a < #b end)
---table.concat(t, " ") --> fig kiwi pear apple
---```
---@async
---@param t table
---@param less? fun(a: any, b: any): boolean
function table.sort(t, less) end

---The values from i (1) to j (#t); the same function as the global `unpack`.
---```lua
---print(table.unpack({ 1, 2, 3 }, 2)) --> 2	3
---```
---@param t table
---@param i? integer
---@param j? integer
---@return any ...
function table.unpack(t, i, j) end
