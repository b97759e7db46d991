---@meta flow

---Trying everything that may happen to a workflow: there in spec files, as `flow.explore`, and as `flowlua explore FILE`.
---@class flow
local flow = {}

---Makes the paths that a run can be forced upon: every activity succeeds, fails and times out, at each attempt; events come in every order; a
---cancellation or a crash strikes at each moment. Invariants are checked at the end of each path; one that does not hold fails the test, with
---the shortest path found. Returns what was made. In the examples `order` charges and delivers, and refunds when delivering fails.
---```lua
---local seen = flow.explore(order, {
---  input = { id = 7 },
---  activities = { charge = { returns = "receipt", errors = { "CardDeclined" } }, deliver = { errors = { "NoSuchAddress" } } },
---  max_faults = 1,
---  invariants = {
---    ["what is not delivered is refunded"] = function(path)
---      if path.status == "failed" and path:completed("charge") > 0 then assert(path:count("refund") > 0) end
---    end,
---  },
---})
---print(seen.exhaustive) --> true
---```
---@param workflow flow.Workflow|string
---@param options? flow.ExploreOptions
---@return { paths: integer, exhaustive: boolean, deviations: integer, cut: integer }
function flow.explore(workflow, options) end

---An invariant is any function of the table: by its name, in `invariants`, or alone. It is broken by an error, or by false and a message.
---@class flow.ExploreOptions
---@field input? any the workflow's argument; if not given, values are made up that the script can use
---@field activities? table<string, flow.ExploreActivity>
---@field signals? table<string, flow.ExploreSignal>
---@field cancel? boolean false: the run is not asked to cancel
---@field crash? boolean false: the process does not crash
---@field max_faults? integer failures, timeouts, cancellations and crashes on one path; 2 if not set
---@field paths? integer how many are made at most; 20,000 if not set
---@field steps? integer how long one is at most; 300 if not set
---@field seed? integer of what is sampled when there are more paths
---@field time? number seconds, at most
---@field path? string makes this one path, as a failure has printed it
---@field invariants? table<string, fun(path: flow.Path)>
---@field invariant? fun(path: flow.Path)
---@field workflow? string in a file of invariants for `flowlua explore`: its name, if the script declares several
---@field [string] fun(path: flow.Path) an invariant

---@class flow.ExploreActivity
---@field returns? any made up if not set
---@field outcomes? any[] further values that it may return
---@field errors? (string|flow.ErrorFields)[]|false names, or tables with a name; a generic ServiceError, and what the script handles, if not set
---@field timeout? boolean false: it does not time out

---Values that it may come with, true for none.
---@alias flow.ExploreSignal true|any[]|{ values?: any[], args?: any[][], times?: integer }

---What has happened to a run, and what it made of it.
---@class flow.Path
---@field workflow string
---@field input any
---@field status string "completed", "failed", "cancelled" or "open"
---@field result any of a completed run
---@field error? { name: string, message: string, status?: integer, timeout?: string, activity?: string, cause?: table }
---@field stuck boolean it is open, and nothing is left that could happen
---@field awaits string[] signals that it waits for at the end
---@field cut boolean it is open because the path has reached its most steps
---@field elapsed number seconds
---@field cancelled boolean it was asked to cancel
---@field crashes integer
---@field faults integer
---@field activities flow.PathCall[] in the order in which they were called
---@field signals { name: string, args: any[], at: number, step: integer }[]
---@field statuses any[] what was given to flow.status
---@field finally { source: string, line: integer, tried: integer, ran: integer }[] each finally: how often its try began, how often it ran
local Path = {}

---@class flow.PathCall
---@field name string
---@field args any[]
---@field outcome string "completed", "failed", "cancelled" or "open"
---@field result any
---@field error? table
---@field key string the idempotency key, the same for all attempts
---@field worked integer how often its work was done: more than once if a result was lost
---@field at number seconds
---@field ended? number
---@field step integer in answer to which it was called
---@field attempts { outcome: string, worked: boolean, at: number }[] "completed", "failed", "timed out", "crashed", "cancelled" or "open"

---How often the work of an activity was done. An attempt that times out may have done it, and so may one that a crash has cut off.
---```lua
---local most = 0
---flow.explore(order, { input = { id = 7 }, cancel = false, max_faults = 1, invariant = function(path)
---  most = math.max(most, path:count("charge"))
---end })
---print(most) --> 2
---```
---@param activity string
---@return integer
function Path:count(activity) end

---How many calls of an activity have completed.
---```lua
---local most = 0
---flow.explore(order, { input = { id = 7 }, cancel = false, max_faults = 1, invariant = function(path)
---  most = math.max(most, path:completed("charge"))
---end })
---print(most) --> 1
---```
---@param activity string
---@return integer
function Path:completed(activity) end

---The calls of an activity, in order.
---```lua
---flow.explore(order, { input = { id = 7 }, invariant = function(path)
---  for _, call in ipairs(path:calls("charge")) do assert(call.args[1].id == 7) end
---end })
---```
---@param activity string
---@return flow.PathCall[]
function Path:calls(activity) end
