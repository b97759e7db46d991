-- ["a done, b done, t, c done"]
local flow = require "flow"

local work = flow.activity("work", { start_to_close = "1m", schedule_to_close = "1h" })

flow.workflow("main", function()
  local values = flow.all({ work("a", 3), work("b", 1), flow.timer(2, "t"), work("c", 5) }):await()
  return table.concat(values, ", ")
end)
