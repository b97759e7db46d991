-- ["step 1 done, step 2 done, step 3 done, step 4 done"]
local flow = require "flow"

local work = flow.activity("work")

flow.workflow("main", function()
  local all = {}
  for i = 1, 4 do all[i] = work("step " .. i, i):await() end
  return table.concat(all, ", ")
end)
