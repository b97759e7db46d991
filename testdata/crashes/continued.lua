-- ["rounds",4,"kept"]
local flow = require "flow"

local work = flow.activity("work")

local again = flow.workflow("again", function(n)
  work("round " .. n, 1):await()
  if n < 4 then
    flow.continue_as_new(n + 1)
    return
  end
  return "rounds", n, flow.signal("late"):await()
end)

flow.workflow("main", function()
  local id = flow.info().id .. "-again"
  local p = again:with { id = id }(1)
  flow.sleep(0.5)
  flow.send(id, "late", "kept"):await()
  return p:await()
end)
