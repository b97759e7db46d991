-- ["after 3",false,"Error",5]
local flow = require "flow"

local flaky = flow.activity("flaky", { heartbeat = 60, retry = { initial = 10, max_attempts = 5 } })
local broken = flow.activity("broken", { retry = { initial = 1, max_attempts = 5 } })

flow.workflow("main", function()
  local ok, err = pcall(function() return broken():await() end)
  return flaky(3):await(), ok, err.name, 5
end)
