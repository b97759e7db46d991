---@meta flow

---Durable workflows: branches, activities, scopes, time and messages. Get it with `local flow = require "flow"`; the
---examples here assume that line.
---
---A duration is a number of seconds (fractions allowed) or a text such as `"250ms"`, `"1m30s"`, `"2h"`, `"7d"`.
---What waits is marked `async`; it may be called anywhere: in `pcall`, a metamethod, an iterator, a callback, a coroutine.
---@class flow
local flow = {}

---Seconds, or text such as "1m30s".
---@alias flow.Duration number|string

---Declares a workflow. Its arguments are the run's input, its results the run's. The stub starts a child when it is called
---inside a workflow. A file that declares none is itself a workflow, named after the file.
---```lua
---local double = flow.workflow("double", function(n) return n * 2 end)
---print(double) --> workflow 'double'
---```
---@param name string
---@param options flow.ChildOptions how children of the stub are started
---@param fn fun(...): ...
---@return flow.Workflow
---@overload fun(name: string, fn: fun(...): ...): flow.Workflow
function flow.workflow(name, options, fn) end

---Declares an activity: work in the outside world. With fn the script implements it, in a Lua state of its own, with `io`, `os`
---and `http`; without, the Go host does. Calling the stub starts it and returns a promise at once.
---```lua
---local echo = flow.activity("echo", { start_to_close = "10s", retry = { max_attempts = 3 } })
---print(echo("a", 1):await()) --> a	1
---```
---@param name string
---@param options? flow.ActivityOptions
---@param fn? fun(...): ...
---@return flow.Activity
---@overload fun(name: string, fn: fun(...): ...): flow.Activity
function flow.activity(name, options, fn) end

---Declares several activities of the host at once.
---```lua
---local shop = flow.activities { echo = { start_to_close = "1m" }, slow = {} }
---print(shop.echo("pen"):await()) --> pen
---```
---@param declarations table<string, flow.ActivityOptions>
---@return table<string, flow.Activity>
function flow.activities(declarations) end

---Makes an error value; `error()` raises it. A status of 400 to 599 gives it the kind `ServiceError`, and `ClientError` or
---`ServerError`; 429 and the names that services use for it, `ThrottlingError`.
---```lua
---local err = flow.error("CardDeclined", "no funds", { status = 402, details = { left = 3 } })
---print(err, err.details.left) --> CardDeclined: no funds	3
---print(err:is("ClientError"), err.retryable) --> true	false
---```
---@param name string by which programs tell errors apart
---@param message? string for people
---@param fields? flow.ErrorFields
---@return flow.Error
function flow.error(name, message, fields) end

---Makes a retry policy. The wait before attempt n is `initial * backoff^(n-2)`, at most `max_interval`; there is no further attempt
---when the time since the first one plus the wait reaches `expiration`. The last failure itself is raised.
---```lua
---local policy = flow.retry { initial = 1, max_attempts = 5, dont_retry_on = { "ClientError" } }
---local n = 0
---print(policy:run(function()
---  n = n + 1
---  if n < 3 then error("not yet") end
---  return n
---end):await()) --> 3
---```
---@param options? flow.RetryOptions
---@return flow.RetryPolicy
function flow.retry(options) end

---Calls check again and again: before check k = 0, 1, … it waits `initial * backoff^k`, at most `max_interval`. A true result ends it
---and is returned; nil, false or an error with `retryable = true` means again; any other error is raised. After
---`max_retries + 1` checks it raises a `TimeoutError`.
---```lua
---local checks = 0
---print(flow.poll(function()
---  checks = checks + 1
---  return checks == 3 and "ready"
---end, { initial = "100ms", max_interval = "1s" })) --> ready
---```
---@async
---@param check fun(): any
---@param options? flow.PollOptions
---@return any ...
function flow.poll(check, options) end

---Describes the run: its id, the number of the run under that id, the workflow's name, when it started (seconds), the id of its
---parent, whether this turn is a replay, and the number of the turn.
---```lua
---local info = flow.info()
---print(info.id, info.run, info.workflow) --> order-7	1	order
---```
---@return { id: string, run: integer, workflow: string, started: number, parent?: string, replaying: boolean, turn: integer }
function flow.info() end

---The version of a change that this run is on: max where the question is new, what was answered first in a run that asked
---before, and min in a run that passed this place before the question was there. Raises the engine's error if the answer
---is not between min and max.
---```lua
---if flow.version("ask-twice", 0, 1) >= 1 then print("new way") end --> new way
---```
---@param change string
---@param min integer
---@param max integer
---@return integer
function flow.version(change, min, max) end

---Calls fn and records what it returns: a replay gives the recorded values and does not call it. fn may neither wait nor start
---anything. If it fails, that is recorded and raised as an error value.
---```lua
---print(flow.side_effect(function() return "computed", 1 end)) --> computed	1
---```
---@param fn fun(): ...
---@return any ...
function flow.side_effect(fn) end

---A random UUID (version 4), the same in every replay. For ids, not for secrets.
---```lua
---print(#flow.uuid(), flow.uuid() == flow.uuid()) --> 36	false
---```
---@return string
function flow.uuid() end

---Ends this run and starts the next with these values as input, under the same id and with an empty history. Acted on when the run
---completes normally, when all its work is done; the last call counts.
---```lua
---flow.continue_as_new(2, "rest")
---print("still here") --> still here
---```
---@param ... any
function flow.continue_as_new(...) end

---Answers callers outside the run. fn may read everything; it can neither wait nor start anything.
---```lua
---local done = 0
---flow.query("progress", function() return done end)
---done = 1
---```
---@param name string
---@param fn fun(...): ...
function flow.query(name, fn) end

---Sets what operators see of the run.
---```lua
---flow.status { step = "packing", left = 3 }
---```
---@param value any
function flow.status(value) end

---The run's log, silent in replay. Fields are written in the order of pairs.
---@class flow.Log
flow.log = {}

---```lua
---flow.log.info("packed", { items = 3 })
---```
---@param message any
---@param fields? table<string, any>
function flow.log.info(message, fields) end

---```lua
---flow.log.warn("late", { minutes = 5 })
---```
---@param message any
---@param fields? table<string, any>
function flow.log.warn(message, fields) end

---```lua
---flow.log.error(flow.error("Lost", "parcel 7"))
---```
---@param message any
---@param fields? table<string, any>
function flow.log.error(message, fields) end

---```lua
---flow.log.debug("state", { left = { 1, 2 } })
---```
---@param message any
---@param fields? table<string, any>
function flow.log.debug(message, fields) end

return flow
