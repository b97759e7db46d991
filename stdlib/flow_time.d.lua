---@meta flow

---Time, and messages from outside and to others.
---@class flow
local flow = {}

---The run's clock, in seconds since 1970. It moves only between turns.
---```lua
---print(flow.now()) --> 946684800
---```
---@return number
function flow.now() end

---Waits. `flow.sleep(0)` is `flow.yield()`.
---```lua
---local start = flow.now()
---flow.sleep("1h30m")
---print(flow.now() - start) --> 5400
---```
---@async
---@param d flow.Duration
function flow.sleep(d) end

---A promise of the values, after the duration.
---```lua
---print(flow.timer("250ms", "tick", 1):await()) --> tick	1
---```
---@param d flow.Duration
---@param ... any
---@return flow.Promise
function flow.timer(d, ...) end

---The inbox of a signal: what was sent to this run under that name and was not taken.
---```lua
----- signal: 5 approve ["Ann"]
---print(flow.signal("approve"):await("1m")) --> Ann
---```
---@param name string
---@return flow.Signal
function flow.signal(name) end

---`flow.signal(name):on(fn)` for short.
---```lua
----- signal: 1 add [3]
---local sum = 4
---flow.on("add", function(n) sum = sum + n end)
---flow.sleep(2)
---print(sum) --> 7
---```
---@param name string
---@param fn fun(...)
function flow.on(name, fn) end

---Sends a signal to another run. The promise is ready when it was delivered.
---```lua
---flow.send("order-8", "approve", "Ann"):await()
---print(pcall(function() flow.send("nobody", "approve"):await() end)) --> false	SignalError: there is no open run 'nobody'
---```
---@param workflow_id string
---@param name string
---@param ... any
---@return flow.Promise
function flow.send(workflow_id, name, ...) end

return flow
