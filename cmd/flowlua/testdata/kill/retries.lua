-- "third time, 3 reports, HeartbeatsSeen"
local flow = require "flow"

-- Fails until the attempts before have left word that they were there: a lost one leaves word too.
local third = flow.activity("third", { heartbeat = "10s", retry = { initial = "10ms", backoff = 1, max_attempts = 3 } }, function()
  local n = flow.heartbeat_details() or 0
  if n >= 2 then return "third time" end
  flow.heartbeat(n + 1)
  flow.sleep("10ms")
  error(flow.error("NotYet", "n is " .. n))
end)
local never = flow.activity("never", { retry = { initial = "5ms", max_attempts = 3 } }, function() error(flow.error("HeartbeatsSeen", "no")) end)

flow.workflow("main", function()
  local text = third():await()
  local ok, err = pcall(function() never():await() end)
  assert(not ok)
  return text .. ", 3 reports, " .. err.name
end)
