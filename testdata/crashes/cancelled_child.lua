-- ["CancelledError","long cleaned up"]
local flow = require "flow"

local work = flow.activity("work")

local long = flow.workflow("long", function(parent)
  flow.try {
    function() flow.sleep(1e6) end,
    finally = function()
      work("clean up", 3):await()
      flow.send(parent, "report", "long cleaned up"):await()
    end,
  }:await()
end)

flow.workflow("main", function()
  local report = flow.signal("report")
  local p = long(flow.info().id)
  flow.sleep(5)
  p:cancel("enough")
  local ok, err = pcall(p.await, p)
  return ok or err.name, report:await()
end)
