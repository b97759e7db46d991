-- [40,40,40,"TimeoutError"]
local flow = require "flow"

local work = flow.activity("work", { start_to_close = "30s" }, function(n) flow.sleep("10ms") return n end)

flow.workflow("main", function(round)
  round = round or 1
  local list = {}
  for i = 1, 8 do list[i] = i end
  local sum = 0
  for _, n in ipairs(flow.map(list, function(n) return work(n) end, { concurrency = 3 }):await()) do sum = sum + n end
  local _, late = pcall(function() flow.timeout("20ms", function() flow.sleep("1h") end):await() end)
  return { sum + 4, flow.side_effect(function() return 40 end), flow.version("x", 0, 40), late.name }
end)
