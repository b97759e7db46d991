---@meta spy

---Functions of Lua that know how they were called. For activities there is flow.test.stub.
---@class spylib
spy = {}

---A function that knows its calls; they are looked at with assert.spy.
---@class spec.Spy
local Spy = {}

---A spy that calls fn, or does nothing.
---```lua
---local log = spy.new()
---log("a", 1)
---assert.spy(log).was.called_with("a", 1)
---```
---@param fn? fun(...): ...
---@return spec.Spy
function spy.new(fn) end

---Puts a spy in the place of a function of a table. The function goes on being called.
---```lua
---local mail = { send = function(to) return "sent to " .. to end }
---spy.on(mail, "send")
---assert.equal("sent to Ann", mail.send("Ann"))
---assert.spy(mail.send).was.called(1)
---```
---@param t table
---@param name any
---@return spec.Spy
function spy.on(t, name) end

---Whether a value is a spy or a stub.
---```lua
---print(spy.is_spy(spy.new()), spy.is_spy(print)) --> true	false
---```
---@param v any
---@return boolean
function spy.is_spy(v) end

---Puts a stub in the place of a function of a table, which is not called any more: the stub returns the values, or nothing.
---```lua
---local mail = { send = function(to) error("no network") end }
---stub(mail, "send", true)
---assert.is_true(mail.send("Ann"))
---assert.stub(mail.send).was.called_with("Ann")
---```
---@param t table
---@param name any
---@param ... any
---@return spec.Spy
function stub(t, name, ...) end

---From now on it returns these values.
---```lua
---local s = spy.new():returns(1, 2)
---print(s()) --> 1	2
---```
---@param ... any
---@return spec.Spy
function Spy:returns(...) end

---From now on it calls this function.
---```lua
---local s = spy.new():invokes(function(n) return n * 2 end)
---print(s(4)) --> 8
---```
---@param fn fun(...): ...
---@return spec.Spy
function Spy:invokes(fn) end

---The arguments of each call, as they were then.
---```lua
---local s = spy.new()
---s("a") s("b", 2)
---assert.same({ { "a" }, { "b", 2 } }, s:calls())
---```
---@return any[][]
function Spy:calls() end

---Forgets the calls.
---```lua
---local s = spy.new()
---s()
---s:clear()
---assert.spy(s).was_not.called()
---```
function Spy:clear() end

---Puts back what was there before spy.on or stub, and returns it.
---```lua
---local mail = { send = function() return "sent" end }
---stub(mail, "send"):revert()
---assert.equal("sent", mail.send())
---```
---@return any
function Spy:revert() end

---Matchers stand for values where values are expected: `match._` for any, and `match.` with the words of assert for those that it
---would accept, as in `match.is_string()`, `match.is_not_nil()`, `match.matches("^a")`, `match.near(1, 0.1)`.
---```lua
---assert.same({ id = match.is_string(), at = match.near(10, 0.5), note = match._ }, { id = "x", at = 10.2, note = false })
---```
---@class spec.Match
---@field _ any any value
---@field [string] fun(...): any
match = {}

return spy
