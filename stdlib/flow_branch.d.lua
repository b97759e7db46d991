---@meta flow

---Branches, scopes and what goes between them.
---@class flow
local flow = {}

---Starts a branch that calls fn with the arguments, at the end of the queue. Its promise gives what fn returns.
---```lua
---local p = flow.spawn(function(a, b) return a + b, a * b end, 3, 4)
---print(p:await()) --> 7	12
---```
---@param fn fun(...): ...
---@param ... any
---@return flow.Promise
function flow.spawn(fn, ...) end

---A function whose calls are branches that start when every promise among the arguments is ready, and get the values. If one of
---them fails, the call fails with that error.
---```lua
---local add = flow.async(function(a, b) return a + b end)
---print(add(flow.timer(1, 20), add(20, 2)):await()) --> 42
---```
---@param fn fun(...): ...
---@return fun(...): flow.Promise
function flow.async(fn) end

---Passes a promise to such a function as itself, so that it is not waited for.
---```lua
---local answer = flow.promise()
---local set = flow.async(function(p, value) p:set(value) end)
---set(flow.nowait(answer), flow.timer(1, 42))
---print(answer:await()) --> 42
---```
---@param p flow.Promise
---@return any
function flow.nowait(p) end

---A branch that does not keep its scope open: when the last ordinary branch has ended, daemons are cancelled.
---```lua
---flow.daemon(function()
---  while true do flow.sleep("1m") print("working") end
---end)
---flow.sleep("90s")
---print("done") --> working
----- --> done
---```
---@param fn fun(...): ...
---@param ... any
---@return flow.Promise
function flow.daemon(fn, ...) end

---Goes to the end of the queue of branches that can run.
---```lua
---flow.spawn(function() print("other") end)
---flow.yield() --> other
---print("this") --> this
---```
---@async
function flow.yield() end

---Waits for all of the promises: returns the first value of each, of the last one all values. Raises the first failure.
---```lua
---print(flow.await(flow.timer(2, "a"), flow.timer(1, "b", "c"))) --> a	b	c
---```
---@async
---@param p flow.Promise
---@param ... flow.Promise
---@return any ...
function flow.await(p, ...) end

---A promise that the script settles itself: with set, fail or chain. The description is for people.
---```lua
---local door = flow.promise("the door is open")
---flow.spawn(function() door:set("key") end)
---print(door:await()) --> key
---```
---@param description? string
---@return flow.Promise
function flow.promise(description) end

---A promise of a table with the value of each promise under its key; other values stay. Fails with the first failure.
---```lua
---local t = flow.all { a = flow.timer(2, 1), b = flow.timer(1, 2), c = 3 }:await()
---print(t.a, t.b, t.c) --> 1	2	3
---```
---@param t table<any, flow.Promise|any>
---@return flow.Promise
function flow.all(t) end

---A promise of the first success: its value and its key. The others go on. If all fail it fails with `AllFailed`, whose `details` are
---the errors.
---```lua
---print(flow.any { slow = flow.timer(9, "s"), quick = flow.timer(1, "q") }:await()) --> q	quick
---```
---@param t table<any, flow.Promise|any>
---@return flow.Promise
function flow.any(t) end

---A promise of the first to settle: its value and its key, or its failure. The others go on.
---```lua
---print(flow.race { flow.timer(9, "s"), flow.timer(1, "q") }:await()) --> q	2
---```
---@param t table<any, flow.Promise|any>
---@return flow.Promise
function flow.race(t) end

---As `any`; the others are then cancelled.
---```lua
---local start = flow.now()
---print(flow.first { flow.timer("9h", "s"), flow.timer(1, "q") }:await()) --> q	2
---print(flow.now() - start) --> 1
---```
---@param t table<any, flow.Promise|any>
---@return flow.Promise
function flow.first(t) end

---A promise of a list with the first result of fn(item, index) for each item. Each item has its branch, at most `concurrency` of
---them at a time. They are in a scope: when one fails, the others are cancelled and the promise fails with that error.
---```lua
---local squares = flow.map({ 1, 2, 3 }, function(n)
---  flow.sleep(4 - n)
---  return n * n
---end, { concurrency = 2 }):await()
---print(table.concat(squares, " ")) --> 1 4 9
---```
---@param list any[]
---@param fn fun(item: any, index: integer): any
---@param options? flow.MapOptions
---@return flow.Promise
function flow.map(list, fn, options) end

---@class flow.MapOptions
---@field concurrency? integer how many branches at a time; all of them if not set

---A scope. `body` is called in it with the values of `after`, when they are ready. When something of it fails, the rest is cancelled;
---when all is gone `catch` gets the error value; when all of that is gone `finally` runs. The promise gives what the body returned or,
---if catch ran, what catch returned. `catch` may be a table from the names of errors (or of their kinds) to functions, with a
---default by position.
---```lua
---local p = flow.try {
---  function() error(flow.error("Lost", "parcel 7")) end,
---  catch = { Lost = function(err) return "found out: " .. err.message end },
---  finally = function() print("cleaned up") end,
---}
---print(p:await()) --> cleaned up
----- --> found out: parcel 7
---```
---@param scope flow.Scope
---@return flow.Promise
function flow.try(scope) end

---@class flow.Scope
---@field [1] fun(...): ... the body
---@field catch? (fun(err: flow.Error): ...)|table<string|integer, fun(err: flow.Error): ...>
---@field finally? fun()
---@field after? flow.Promise|flow.Promise[] what the body waits for
---@field name? string for people

---Calls fn in a scope that is cancelled after the duration; then the promise fails with a `TimeoutError`.
---```lua
---print(pcall(function()
---  return flow.timeout("10s", flow.sleep, "1h"):await()
---end)) --> false	TimeoutError: 10s passed
---```
---@param duration flow.Duration
---@param fn fun(...): ...
---@param ... any
---@return flow.Promise
function flow.timeout(duration, fn, ...) end

---Calls fn in a branch that nothing cancels, waits for its end and returns its results: the one wait that a cancelled branch may make.
---```lua
---local p = flow.spawn(function()
---  pcall(flow.sleep, "1h")
---  print(flow.shield(function() flow.sleep(1) return "put away" end)) --> put away
---end)
---flow.sleep(1)
---p:cancel()
---```
---@async
---@param fn fun(...): ...
---@param ... any
---@return any ...
function flow.shield(fn, ...) end

---A queue of values between branches. A sender waits while it holds `capacity` values that nobody has taken; with 0, the default, until
---its value is taken.
---```lua
---local ch = flow.channel()
---flow.spawn(function() ch:send("a") ch:send("b") ch:close() end)
---for v in ch:each() do print(v) end --> a
----- --> b
---```
---@param capacity? integer
---@return flow.Channel
function flow.channel(capacity) end

---Lets at most n branches in at a time.
---```lua
---local sem = flow.semaphore(1)
---for i = 1, 2 do
---  flow.spawn(function() sem:with(function() print(i, flow.now() % 60) flow.sleep(1) end) end)
---end --> 1	0
----- --> 2	1
---```
---@param n integer
---@return flow.Semaphore
function flow.semaphore(n) end

return flow
