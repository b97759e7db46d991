-- ["TimeoutError","schedule_to_close","TimeoutError"]
local flow = require "flow"

local slow = flow.activity("work", { schedule_to_close = "30s" })

flow.workflow("main", function()
  local ok, err = pcall(function() return slow("slow", 1000):await() end)
  local _, late = pcall(function() return flow.timeout("10s", function() flow.sleep(3600) end):await() end)
  return ok or err.name, err.timeout, late.name
end)
