---@meta flow
---@class flow
local flow = {}
function flow.heartbeat(details) end
return flow
