---@meta flow

---What Lua activities have, beside `flow.sleep` (in real time, ends with `CancelledError` when cancellation was asked for), `flow.log` and
---`flow.error`. The rest of flow is an error there. The examples here run in an activity.
---@class flow
local flow = {}

---Says that the activity is alive, and how far it has come. Raises `CancelledError` once cancellation was asked for. Reports are throttled by
---the engine: one that cannot be made never disturbs the activity.
---```lua
---flow.heartbeat({ done = 3 })
---```
---@param details? any what the next attempt, and a `TimeoutError`, shall know; those before stay if it is not given
function flow.heartbeat(details) end

---The last details of the attempt before; nil if there are none.
---```lua
---print(flow.heartbeat_details().done) --> 2
---```
---@return any
function flow.heartbeat_details() end

---Describes the attempt: the call's id, the activity's name, the id of the workflow, the number of the attempt, when its time is up (seconds since
---1970, nil if never), and a key that is the same for all attempts of the call.
---```lua
---local info = flow.activity_info()
---print(info.name, info.attempt, info.idempotency_key) --> copy	2	order-7/3
---```
---@return { id: string, name: string, workflow?: string, attempt: integer, deadline?: number, idempotency_key: string }
function flow.activity_info() end

return flow
