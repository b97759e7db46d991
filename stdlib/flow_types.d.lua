---@meta _

---A value or a failure that is there now or later. A failure goes to those who have observed the promise (awaited, combined or chained
---it, passed it as an argument); if nobody has, it fails the scope of what produces it.
---@class flow.Promise
local Promise = {}

---Waits, and returns the values or raises the failure. With a timeout it raises `TimeoutError` after that time; the work goes on.
---```lua
---local p = flow.timer("1h", "late")
---print(pcall(p.await, p, "1s")) --> false	TimeoutError: 1s passed
---print(p:await()) --> late
---```
---@async
---@param timeout? flow.Duration
---@return any ...
function Promise:await(timeout) end

---Whether it has its values or its failure.
---```lua
---print(flow.timer(1):ready()) --> false
---```
---@return boolean
function Promise:ready() end

---The values now; an error if they are not there yet. Raises the failure if there is one.
---```lua
---local p = flow.promise()
---p:set(1, 2)
---print(p:get()) --> 1	2
---```
---@return any ...
function Promise:get() end

---Cancels what produces it: the branch, the scope, the activity, the timer, the child. A branch or an activity that is cancelled
---this way fails no scope.
---```lua
---local p = flow.spawn(flow.sleep, "1h")
---p:cancel("not needed")
---print(p:outcome():await().error) --> CancelledError: not needed
---```
---@param reason? any
function Promise:cancel(reason) end

---A promise that never fails: of `{ ok = true, value = … }` or `{ ok = false, error = … }`.
---```lua
---local o = flow.spawn(error, flow.error("Lost")):outcome():await()
---print(o.ok, o.error.name) --> false	Lost
---```
---@return flow.Promise
function Promise:outcome() end

---Gives a promise of `flow.promise` its values. Who waits for it goes to the end of the queue.
---```lua
---local p = flow.promise()
---p:set("a")
---print(pcall(p.set, p, "b")) --> false	promise:set: already set to ("a")
---```
---@param ... any
function Promise:set(...) end

---Gives a promise of `flow.promise` its failure: an error value or anything that `error` takes.
---```lua
---local p = flow.promise()
---p:fail(flow.error("Lost", "parcel 7"))
---print(pcall(p.await, p)) --> false	Lost: parcel 7
---```
---@param err any
function Promise:fail(err) end

---Makes a promise of `flow.promise` settle as another one does.
---```lua
---local p = flow.promise()
---p:chain(flow.timer(1, "tick"))
---print(p:await()) --> tick
---```
---@param source flow.Promise
function Promise:chain(source) end

---Undoes chain, as long as the source has not settled.
---```lua
---local p = flow.promise()
---p:chain(flow.timer("1h", "late"))
---p:unchain()
---p:set("now")
---print(p:await()) --> now
---```
function Promise:unchain() end

---What a call of the stub starts. Promises anywhere in the arguments are waited for, and their first values put in their places, in a copy.
---@class flow.Activity
---@overload fun(...): flow.Promise
local Activity = {}

---A copy with other options; those that are not given stay. `retry = false` drops a declared retry.
---```lua
---local slow = flow.activity("slow", { retry = { max_attempts = 3 } })
---print(slow:with { start_to_close = "1m", retry = false }(1, "done"):await()) --> done
---```
---@param options flow.ActivityOptions
---@return flow.Activity
function Activity:with(options) end

---What a call of the stub starts is a run of its own; the promise gives its result.
---@class flow.Workflow
---@overload fun(...): flow.Promise
local Workflow = {}

---A copy with other options.
---```lua
---local ship = flow.workflow("ship", function() end)
---print(ship:with { id = "ship-7", on_parent_close = "abandon" }("pen"):await()) --> pen
---```
---@param options flow.ChildOptions
---@return flow.Workflow
function Workflow:with(options) end

---An error value. `tostring` and `..` give `Name: message`. Reading a field that none has is an error, and so is setting one.
---```lua
---print("caught " .. flow.error("Lost", "parcel 7")) --> caught Lost: parcel 7
---```
---@class flow.Error : flow.ErrorFields
---@operator concat(any): string
---@field name string
---@field message string
---@field kinds string[]
local Error = {}

---Whether this is its name or one of its kinds.
---```lua
---local err = flow.error("Busy", "try later", { status = 503 })
---print(err:is("Busy"), err:is("ServerError"), err:is("ServiceError"), err:is("ClientError")) --> true	true	true	false
---```
---@param name string
---@return boolean
function Error:is(name) end

---The logical stack: the frames of the branch that failed, then, after each `---continuation---`, those of the place where it was started.
---```lua
---flow.try {
---  function() flow.spawn(function() error("deep") end) end,
---  catch = function(err) print((err:trace():match("^[^\n]*"))) end, --> Error: deep
---}
---```
---@return string
function Error:trace() end

---@class flow.ErrorFields
---@field status? integer an HTTP status
---@field details? any
---@field cause? any the error behind it
---@field retryable? boolean nil where that is not known
---@field kinds? string[] further names that it answers to
---@field value? any what was raised, if it was not an error value
---@field activity? string which one failed
---@field timeout? string of a TimeoutError: schedule_to_start, start_to_close, schedule_to_close, heartbeat, await, timeout, poll
---@field reason? any of a CancelledError: what was given to cancel

---A retry policy. It is read at each failure.
---@class flow.RetryPolicy
local RetryPolicy = {}

---A stub, a table of stubs or a function whose calls are retried. Each attempt is an ordinary step of the run. A stub that declares a
---retry cannot be decorated.
---```lua
---local broken = flow.retry { initial = 1 }:decorate(flow.activity("broken"))
---local start = flow.now()
---print(broken(2, "done"):await(), flow.now() - start) --> done	3
---```
---@generic T
---@param target T
---@return T
function RetryPolicy:decorate(target) end

---Calls fn until it succeeds: a promise of its results. An attempt ends when everything that it started has ended.
---```lua
---print(flow.retry():run(function(x) return x end, "first time"):await()) --> first time
---```
---@param fn fun(...): ...
---@param ... any
---@return flow.Promise
function RetryPolicy:run(fn, ...) end

---Changes the policy; takes effect at the next failure. Returns the policy.
---```lua
---local policy = flow.retry { max_attempts = 9 }
---print(pcall(function()
---  policy:run(function()
---    policy:set { max_attempts = 1 }
---    error("no", 0)
---  end):await()
---end)) --> false	no
---```
---@param options flow.RetryOptions
---@return flow.RetryPolicy
function RetryPolicy:set(options) end

---The inbox of a signal.
---@class flow.Signal
local Signal = {}

---Takes the next one, waiting for it, and returns what was sent.
---```lua
----- signal: 5 approve ["Ann",2]
---print(flow.signal("approve"):await()) --> Ann	2
---```
---@async
---@param timeout? flow.Duration after which it raises `TimeoutError`
---@return any ...
function Signal:await(timeout) end

---Takes one after the other, for ever. A signal without a value gives `json.null`, as nil would end the loop.
---```lua
----- signal: 5 item ["pen"]
----- signal: 6 item ["ink"]
---for item in flow.signal("item"):each() do
---  print(item) --> pen
---  if item == "ink" then break end --> ink
---end
---```
---@async
---@return fun(): ...
function Signal:each() end

---Calls fn for each, also for those that have come already, in a branch of the root. A later handler replaces this one. If it fails, the run fails.
---```lua
----- signal: 1 ring
---flow.signal("ring"):on(function() print("rung") end)
---flow.sleep(2) --> rung
---```
---@param fn fun(...)
function Signal:on(fn) end

---@class flow.Channel
local Channel = {}

---Puts the values in as one item; waits while there is no room. The first value must not be nil. Raises an error if the channel is or gets closed.
---```lua
---local ch = flow.channel(1)
---ch:send("a", 1)
---print(ch:receive()) --> a	1
---```
---@async
---@param ... any
function Channel:send(...) end

---Takes the next item, waiting for it; nil if the channel is closed and empty.
---```lua
---print(pcall(function() flow.channel():receive("1s") end)) --> false	TimeoutError: 1s passed
---```
---@async
---@param timeout? flow.Duration
---@return any ...
function Channel:receive(timeout) end

---Nothing more can be sent. What is in it can still be received.
---```lua
---local ch = flow.channel(2)
---ch:send("a")
---ch:close()
---print(ch:receive(), ch:receive()) --> a	nil
---```
function Channel:close() end

---Receives until the channel is closed and empty.
---```lua
---local ch = flow.channel(2)
---ch:send("a")
---ch:close()
---for v in ch:each() do print(v) end --> a
---```
---@async
---@return fun(): ...
function Channel:each() end

---@class flow.Semaphore
local Semaphore = {}

---Takes a permit, waiting for it; who waits longest is first.
---```lua
---local sem = flow.semaphore(1)
---sem:acquire()
---print(pcall(sem.acquire, sem, "1s")) --> false	TimeoutError: 1s passed
---```
---@async
---@param timeout? flow.Duration
function Semaphore:acquire(timeout) end

---Gives a permit back.
---```lua
---local sem = flow.semaphore(1)
---sem:acquire()
---sem:release()
---print(pcall(sem.release, sem)) --> false	semaphore:release: all 1 permits are free: it was released more often than acquired
---```
function Semaphore:release() end

---Calls fn with a permit, which it gives back whatever happens; returns its results.
---```lua
---print(flow.semaphore(2):with(function(x) return x end, "in")) --> in
---```
---@async
---@param fn fun(...): ...
---@param ... any
---@return any ...
function Semaphore:with(fn, ...) end
