-- [12,"ChildWorkflowError","TooMany","ChildWorkflowError: AlreadyRunning","child 3 done"]
local flow = require "flow"

local work = flow.activity("work")

local child = flow.workflow("child", function(n)
  if n > 3 then error(flow.error("TooMany", "child " .. n)) end
  flow.sleep(n)
  return n, work("child " .. n, 1):await()
end)

flow.workflow("main", function()
  local own = child:with { id = flow.info().id .. "-own" }
  local first = own(3)
  local taken
  local again = flow.spawn(function() return pcall(function() return own(1):await() end) end)
  local _, refused = again:await()
  for _, kind in ipairs({ "AlreadyRunning" }) do
    if refused:is(kind) or refused.message:find("already running", 1, true) then taken = refused.name .. ": " .. kind end
  end
  local n, text = first:await()
  local _, err = pcall(function() return child(9):await() end)
  return n * 4, err.name, err.cause.name, taken, text
end)
