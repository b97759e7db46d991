-- [4]
local flow = require "flow"

flow.workflow("main", function()
  local n = 0
  return flow.retry { initial = 1, max_attempts = 4 }:run(function()
    n = n + 1
    if n < 4 then error(flow.error("ServerError", "try " .. n, { status = 500 })) end
    return n
  end):await()
end)
