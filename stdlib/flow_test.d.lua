---@meta flow

---What tests of workflows do with the world around them: there in spec files, as `flow.test`.
---@class flow
local flow = {}

---In the examples `order` is a workflow that charges, delivers, and refunds when that fails; `{ wait = true }` lets it wait for the signal
---"approve" before.
---@class flow.Test
flow.test = {}

---Starts a workflow: one that the file declares or requires, the name of one, or the file that it is in. Returns when the run has done
---all that it can do without time passing. A run that fails without the test having looked at how it ended fails the test.
---```lua
---flow.test.stub { charge = "receipt 7", deliver = "delivered" }
---local t = flow.test.start(order, { id = 7 })
---assert.equal("delivered", t:result())
---assert.equal("delivered", flow.test.start("order", { id = 8 }):result())
---assert.equal("thanks, Ann", flow.test.start("thanks.lua", "Ann"):result())
---```
---@async
---@param workflow flow.Workflow|string
---@param ... any its input
---@return flow.TestRun
function flow.test.start(workflow, ...) end

---Says what becomes of an activity, and of child workflows of that name: it returns the values, calls the function, or does what is
---said with the methods of the stub, attempt by attempt; the last that is said goes for all later attempts. Several are named in a
---table. An activity of which nothing is said fails the test.
---```lua
---local charge = flow.test.stub("charge"):fails("Busy", "try again"):after("2s"):returns("receipt 7")
---flow.test.stub("deliver", function(receipt) return receipt .. " delivered" end)
---local t = flow.test.start(order, { id = 7 })
---assert.equal("receipt 7 delivered", t:result())
---assert.equal(1 + 2, t:elapsed()) -- the delay of the declared retry, and the stub's
---assert.stub(charge).was.called(2)
---```
---@param activity flow.Activity|flow.Workflow|string|table<string, any>
---@param ... any
---@return flow.Stub
function flow.test.stub(activity, ...) end

---Lets an activity's own function run, in a Lua of its own with the real files and network, and tells how it was called. What it sleeps
---takes virtual time.
---```lua
---local charge = flow.test.spy("charge")
---flow.test.stub("deliver", true)
---flow.test.start(order, { id = 7 }):result()
---assert.spy(charge).was.called_with({ id = 7 })
---```
---@param activity flow.Activity|string
---@return flow.Stub
function flow.test.spy(activity) end

---The seconds that have passed since the test began.
---```lua
---flow.sleep("1h30m")
---assert.equal(5400, flow.test.elapsed())
---```
---@return number
function flow.test.elapsed() end

---Waits until nothing more can happen without time passing.
---```lua
---local done = false
---flow.spawn(function() flow.yield() done = true end)
---flow.test.settle()
---assert.is_true(done)
---```
---@async
function flow.test.settle() end

---The stub of an activity: what becomes of each attempt at it. Words that say when or how often come before the one that says what:
---`stub:times(2):after("1s"):fails("Busy"):returns("receipt")`. assert.stub looks at how it was called.
---@class flow.Stub
local Stub = {}

---The attempt returns these values.
---```lua
---flow.test.stub("next"):returns(1):returns(2)
---local next = flow.activity("next")
---print(next():await(), next():await(), next():await()) --> 1	2	2
---```
---@param ... any
---@return flow.Stub
function Stub:returns(...) end

---The attempt fails: with a name, a message and fields as in flow.error, or with an error value.
---```lua
---flow.test.stub("charge"):fails("CardDeclined", "no funds", { retryable = false })
---print(pcall(function() flow.activity("charge")():await() end)) --> false	CardDeclined: no funds
---```
---@param name string|flow.Error
---@param message? string
---@param fields? table
---@return flow.Stub
function Stub:fails(name, message, fields) end

---The attempt calls the function with the activity's arguments, and with a table after them: `attempt` (from 1), `activity`, `run`,
---`heartbeat_details`. The function belongs to the test: it may change its variables and wait. What it returns or raises is the outcome.
---```lua
---local seen = {}
---flow.test.stub("charge"):runs(function(order, call)
---  seen[#seen + 1] = order.id .. "/" .. call.attempt
---  flow.sleep("5s")
---  return "receipt"
---end)
---assert.equal("receipt", flow.activity("charge")({ id = 7 }):await())
---assert.same({ "7/1" }, seen)
---assert.equal(5, flow.test.elapsed())
---```
---@param fn async fun(...): ...
---@return flow.Stub
function Stub:runs(fn) end

---The attempt never ends by itself: only its timeouts, or a cancellation at a heartbeat, end it.
---```lua
---flow.test.stub("charge"):hangs()
---local charge = flow.activity("charge", { start_to_close = "1m" })
---assert.has_error(charge(), "TimeoutError")
---assert.equal(60, flow.test.elapsed())
---```
---@return flow.Stub
function Stub:hangs() end

---The attempt takes so long. Unless `beats` is said, it reports heartbeats in time.
---```lua
---flow.test.stub("charge"):after("90s"):returns("receipt")
---flow.activity("charge")():await()
---assert.equal(90, flow.test.elapsed())
---```
---@param duration flow.Duration
---@return flow.Stub
function Stub:after(duration) end

---The attempt reports so many heartbeats, one each time. Their details are what is given, or their numbers. Then `hangs` is silence.
---```lua
---flow.test.stub("copy"):beats(3, "10s"):hangs()
---local copy = flow.activity("copy", { heartbeat = "15s" })
---local err = assert.has_error(copy(), "TimeoutError")
---assert.equal("heartbeat", err.timeout)
---assert.equal(3, err.details)
---assert.equal(45, flow.test.elapsed()) -- 15 seconds after the third
---```
---@param n integer
---@param every flow.Duration
---@param details? any
---@return flow.Stub
function Stub:beats(n, every, details) end

---What follows goes for so many attempts.
---```lua
---local charge = flow.test.stub("charge"):times(2):fails("Busy"):returns("receipt")
---local policy = { retry = { initial = "1s", max_attempts = 5 } }
---assert.equal("receipt", flow.activity("charge", policy)():await())
---assert.stub(charge).was.called(3)
---```
---@param n integer
---@return flow.Stub
function Stub:times(n) end

---The arguments of each attempt.
---```lua
---local charge = flow.test.stub("charge", "receipt")
---flow.activity("charge")(7, "EUR"):await()
---assert.same({ { 7, "EUR" } }, charge:calls())
---```
---@return any[][]
function Stub:calls() end

---Forgets the calls there have been.
---```lua
---local charge = flow.test.stub("charge", "receipt")
---flow.activity("charge")():await()
---charge:clear()
---assert.stub(charge).was_not.called()
---```
function Stub:clear() end

---A run that a test has started, or a child of one.
---@class flow.TestRun
local TestRun = {}

---Its ID: that of `workflow:with { id = … }`, else the workflow's name.
---```lua
---flow.test.stub { charge = "receipt", deliver = true }
---print(flow.test.start(order, { id = 7 }):id()) --> order
---print(flow.test.start(order:with { id = "order-8" }, { id = 8 }):id()) --> order-8
---```
---@return string
function TestRun:id() end

---Waits for the end, and returns what the run gives, or raises what it failed with.
---```lua
---flow.test.stub { charge = "receipt" }
---flow.test.stub("deliver"):after("1h"):returns("delivered")
---assert.equal("delivered", flow.test.start(order, { id = 7 }):result())
---assert.equal(3600, flow.test.elapsed())
---```
---@async
---@return any ...
function TestRun:result() end

---Waits for the end, and returns the error that the run has failed with, or was cancelled with. A run that completes fails the test.
---```lua
---flow.test.stub("charge"):fails("CardDeclined", "no funds", { retryable = false })
---flow.test.stub("refund")
---local err = flow.test.start(order, { id = 7 }):error()
---assert.equal("CardDeclined", err.name)
---```
---@async
---@return flow.Error
function TestRun:error() end

---Sends it a signal, and waits until it has done all that it can do then.
---```lua
---flow.test.stub { charge = "receipt", deliver = "delivered" }
---local t = flow.test.start(order, { id = 7, wait = true })
---t:signal("approve", "Ann")
---assert.equal("completed", t:state())
---```
---@async
---@param name string
---@param ... any
function TestRun:signal(name, ...) end

---Asks it to cancel, and waits until it has done all that it can do then.
---```lua
---flow.test.stub("refund")
---local t = flow.test.start(order, { id = 7, wait = true })
---t:cancel("changed my mind")
---assert.equal("changed my mind", t:error().reason)
---```
---@async
---@param reason? any
function TestRun:cancel(reason) end

---The run, for a signal or a cancellation that comes when it is so old; what is called on it does not wait.
---```lua
---flow.test.stub { charge = "receipt", deliver = "delivered" }
---local t = flow.test.start(order, { id = 7, wait = true })
---t:at("2h"):signal("approve", "Ann")
---assert.equal("delivered", t:result())
---assert.equal(7200, t:elapsed())
---```
---@param time flow.Duration
---@return flow.TestRun
function TestRun:at(time) end

---"open", "completed", "failed" or "cancelled", without waiting.
---```lua
---local t = flow.test.start(order, { id = 7, wait = true })
---print(t:state()) --> open
---```
---@return string
function TestRun:state() end

---What the script last gave to flow.status.
---```lua
---local t = flow.test.start(order, { id = 7, wait = true })
---print(t:status()) --> waiting for approval
---```
---@return any
function TestRun:status() end

---Asks what the script answers by flow.query.
---```lua
---local t = flow.test.start(order, { id = 7, wait = true })
---print(t:query("approved")) --> false
---```
---@param name string
---@param ... any
---@return any ...
function TestRun:query(name, ...) end

---The seconds that it has taken so far, or took.
---```lua
---local t = flow.test.start(order, { id = 7, wait = true })
---flow.sleep("1m")
---print(t:elapsed()) --> 60
---```
---@return number
function TestRun:elapsed() end

---@class flow.TestActivity
---@field name string
---@field args any[]
---@field attempts integer
---@field state string "open", "completed" or "failed"
---@field began number seconds since the run began
---@field ended? number
---@field result? any the first one
---@field error? flow.Error

---The activities it has begun, in this order; only those of a name, if one is given.
---```lua
---flow.test.stub { charge = "receipt" }
---flow.test.stub("deliver"):after("10s"):returns("delivered")
---local t = flow.test.start(order, { id = 7 })
---t:result()
---assert.same({
---  { name = "deliver", args = { "receipt" }, attempts = 1, state = "completed", began = 0, ended = 10, result = "delivered" },
---}, t:activities("deliver"))
---```
---@param name? string|flow.Activity
---@return flow.TestActivity[]
function TestRun:activities(name) end

---The names of its activities, in the order in which they were begun.
---```lua
---flow.test.stub { charge = "receipt", deliver = "delivered" }
---local t = flow.test.start(order, { id = 7 })
---t:result()
---assert.same({ "charge", "deliver" }, t:order())
---```
---@return string[]
function TestRun:order() end

---The child workflows it has started, in this order.
---```lua
---flow.test.stub { charge = "receipt", deliver = "delivered" }
---local t = flow.test.start("shop", { 7, 8 })
---t:result()
---print(#t:children(), t:children()[1]:state()) --> 2	completed
---```
---@return flow.TestRun[]
function TestRun:children() end

---What it waits for, branch by branch, with the line of the script.
---```lua
---local t = flow.test.start(order, { id = 7, wait = true })
---print(t:waits()[1]) --> for "signal 'approve'" at order.lua:13
---```
---@return string[]
function TestRun:waits() end

---The execution tree, as text: what is open, one line each.
---```lua
---local t = flow.test.start(order, { id = 7, wait = true })
---assert.matches("waiting for \"signal 'approve'\"", t:tree())
---```
---@return string
function TestRun:tree() end
