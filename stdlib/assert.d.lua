---@meta assert

---What spec files assert. What is expected comes first, what there is second; a text after them is the message's first line.
---
---The words may be joined with dots or underscores, and those between mean nothing: `assert.is_true(x)`, `assert.is.True(x)`,
---`assert.are.same(a, b)`. `not` (and `no`) asserts the opposite: `assert.is_not.same(a, b)`, `assert.is_not_nil(x)`,
---`assert.has_no.errors(fn)`. `assert(v, message)` is Lua's. An assertion that does not hold raises an error value named
---AssertionError.
---
---`is_boolean`, `is_function`, `is_number`, `is_string`, `is_table`, `is_thread`, `is_userdata` assert a type. Values that are
---asserted of one by one are returned: `local n = assert.is_number(f())`.
---@class spec.Assert
---@field [string] any further words
assert = {}

---Both hold the same: tables are compared by what is in them, whatever their metatables. Matchers (match.is_string()) may stand for
---values that are expected.
---```lua
---assert.same({ id = 7, tags = { "a" } }, { tags = { "a" }, id = 7 })
---assert.same({ id = 7, at = match.is_number() }, { id = 7, at = 12.5 })
---print(pcall(assert.same, { id = 7, tags = { "a", "b" } }, { id = 7, tags = { "a", "c" } }))
-----> false	AssertionError: expected and got differ at .tags[2]
----->   expected { id = 7, tags = { "a", "b" } }
----->   got      { id = 7, tags = { "a", "c" } }
---```
---@param expected any
---@param got any
---@param message? string
function assert.same(expected, got, message) end

---A table has all that is expected of it, and may have more; so may the tables in it. A text has a part.
---```lua
---assert.contains({ name = "charge", args = { { id = 7 } } }, { name = "charge", args = { { id = 7, amount = 5 } }, attempts = 2 })
---assert.contains("no funds", "CardDeclined: no funds")
---print(pcall(assert.contains, { attempts = 1 }, { name = "a", attempts = 2 }))
-----> false	AssertionError: expected something that contains { attempts = 1 }, got { attempts = 2, name = "a" }
-----> at .attempts expected 1, got 2
---```
---@param expected any
---@param got any
---@param message? string
function assert.contains(expected, got, message) end

---Both are equal (`==`). Of two tables that means that they are one and the same.
---```lua
---assert.equal(3, 1 + 2)
---print(pcall(assert.equal, 3, 4, "so many")) --> false	AssertionError: so many
-----> expected 3, got 4
---```
---@param expected any
---@param got any
---@param message? string
function assert.equal(expected, got, message) end

---The same as assert.equal.
---```lua
---assert.equals("a", "a")
---```
---@param expected any
---@param got any
---@param message? string
function assert.equals(expected, got, message) end

---Two numbers are no farther apart than the tolerance.
---```lua
---assert.near(0.3, 0.1 + 0.2, 1e-9)
---```
---@param expected number
---@param got number
---@param tolerance number
---@param message? string
function assert.near(expected, got, tolerance, message) end

---A text has a match for Lua's pattern.
---```lua
---assert.matches("^receipt %d+$", "receipt 7")
---```
---@param pattern string
---@param got string
---@param message? string
function assert.matches(pattern, got, message) end

---The same as assert.matches.
---```lua
---assert.match("%d", "receipt 7")
---```
---@param pattern string
---@param got string
---@param message? string
function assert.match(pattern, got, message) end

---It is true, and nothing else.
---```lua
---assert.is_true(1 < 2)
---```
---@param got any
---@param message? string
function assert.is_true(got, message) end

---It is false, and not nil.
---```lua
---assert.is_false(1 > 2)
---```
---@param got any
---@param message? string
function assert.is_false(got, message) end

---It is nil.
---```lua
---assert.is_nil(({}).x)
---assert.is_not_nil(({ x = 1 }).x)
---```
---@param got any
---@param message? string
function assert.is_nil(got, message) end

---It counts as true: neither false nor nil.
---```lua
---assert.is_truthy(0)
---```
---@param got any
---@param message? string
function assert.is_truthy(got, message) end

---It is false or nil.
---```lua
---assert.is_falsy(nil)
---```
---@param got any
---@param message? string
function assert.is_falsy(got, message) end

---The function raises an error, or the promise fails; with a second argument, this error: its name, its message, one of its kinds,
---or a table that holds the same. Returns what was raised.
---```lua
---assert.has_error(function() error("too late") end, "too late")
---local err = assert.has_error(function() error(flow.error("CardDeclined", "no funds")) end, "CardDeclined")
---assert.equal("no funds", err.message)
---assert.has_no.errors(function() return 1 end)
---```
---@async
---@param fn fun()|flow.Promise
---@param expected? any
---@return any
function assert.has_error(fn, expected) end

---The function raises an error, or the promise fails, and its text matches Lua's pattern. Returns what was raised.
---```lua
---assert.error_matches(function() error("line 12 is wrong") end, "line %d+")
---```
---@async
---@param fn fun()|flow.Promise
---@param pattern string
---@return any
function assert.error_matches(fn, pattern) end

---Speaks of a spy or a stub: `was.called([n])`, `was.called_with(…)`, `was.called_at_least(n)`, `was.called_at_most(n)`, each also
---with `was_not`. The arguments may be matchers.
---```lua
---local add = spy.new(function(a, b) return a + b end)
---add(1, 2)
---assert.spy(add).was.called(1)
---assert.spy(add).was.called_with(1, match._)
---assert.spy(add).was_not.called_with(2, 1)
---```
---@param s spec.Spy|flow.Stub
---@return table
function assert.spy(s) end

---The same as assert.spy.
---```lua
---local charge = flow.test.stub("charge", "receipt 7")
---flow.activity("charge")({ id = 7 }):await()
---assert.stub(charge).was.called_with({ id = 7 })
---```
---@param s spec.Spy|flow.Stub
---@return table
function assert.stub(s) end

return assert
