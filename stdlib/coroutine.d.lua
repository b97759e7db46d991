---@meta coroutine

---Lua's coroutines, for generators and the like; branches of a workflow are made with `flow.spawn`. A coroutine may wait
---(`promise:await()`) at any place; the branch that resumed it waits with it. Lua 5.1's library, plus close and isyieldable.
---@class coroutinelib
coroutine = {}

---Ends a suspended coroutine.
---```lua
---local co = coroutine.create(function() coroutine.yield() end)
---coroutine.resume(co) --> true
---coroutine.close(co) --> true
---coroutine.status(co) --> dead
---```
---@param co thread
---@return boolean ok
---@return any problem
function coroutine.close(co) end

---A coroutine that will run fn.
---```lua
---type(coroutine.create(print)) --> thread
---```
---@param fn function
---@return thread
function coroutine.create(fn) end

---Whether yield can be called here: not outside of a coroutine.
---```lua
---coroutine.isyieldable() --> false
---```
---@return boolean
function coroutine.isyieldable() end

---Runs a coroutine until it yields, ends or fails: true and what it yielded or returned, or false and the error. The
---arguments go to the function, later they are what yield returns.
---```lua
---local co = coroutine.create(function(a) return a + coroutine.yield(a * 2) end)
---coroutine.resume(co, 3) --> true	6
---coroutine.resume(co, 4) --> true	7
---coroutine.resume(co) --> false	cannot resume dead coroutine
---```
---@async
---@param co thread
---@param ... any
---@return boolean ok
---@return any ...
function coroutine.resume(co, ...) end

---The coroutine that runs, nil outside of any.
---```lua
---coroutine.running() --> nil
---```
---@return thread?
function coroutine.running() end

---"running", "suspended", "normal" (it has resumed another) or "dead".
---```lua
---coroutine.status(coroutine.create(print)) --> suspended
---```
---@param co thread
---@return string
function coroutine.status(co) end

---A function that resumes a new coroutine at each call and raises its errors.
---```lua
---local count = coroutine.wrap(function() for i = 1, 2 do coroutine.yield(i) end end)
---print(count(), count()) --> 1	2
---```
---@param fn function
---@return fun(...: any): any
function coroutine.wrap(fn) end

---Suspends the running coroutine: resume returns the arguments, and yield returns those of the next resume.
---```lua
---local co = coroutine.wrap(function() return coroutine.yield("first") end)
---co() --> first
---co("second") --> second
---```
---@async
---@param ... any
---@return any ...
function coroutine.yield(...) end
