-- [7,1,36,true]
local flow = require "flow"

flow.workflow("main", function()
  local a = flow.side_effect(function() return 7 end)
  flow.sleep(10)
  local b = flow.version("change", 0, 1)
  local id = flow.uuid()
  flow.sleep(10)
  return a, b, #id, flow.info().started < flow.now()
end)
