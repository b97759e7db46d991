-- 56
local flow = require "flow"

local double = flow.activity("double", function(n)
  flow.sleep("15ms")
  return n * 2
end)

flow.workflow("main", function()
  local sum = 0
  for i = 1, 7 do
    sum = sum + double(i):await()
    flow.sleep("5ms")
  end
  return sum
end)
