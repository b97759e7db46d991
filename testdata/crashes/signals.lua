-- [6,"heard",false,"SignalError"]
local flow = require "flow"

local listener = flow.workflow("listener", function(to)
  local sum = 0
  for _ = 1, 3 do
    sum = sum + flow.signal("number"):await()
    flow.sleep(1)
  end
  flow.send(to, "sum", sum):await()
  return "heard"
end)

flow.workflow("main", function()
  local me = flow.info().id
  local p = listener:with { id = me .. "-listener" }(me)
  flow.sleep(1)
  for i = 1, 3 do flow.send(me .. "-listener", "number", i):await() end
  local sum = flow.signal("sum"):await()
  local heard = p:await()
  local ok, err = pcall(function() flow.send(me .. "-listener", "number", 4):await() end)
  return sum, heard, ok, err.name
end)
