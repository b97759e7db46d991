-- ["mend done","false CancelledError, caught Broken, clean up done"]
local flow = require "flow"

local work = flow.activity("work")

flow.workflow("main", function()
  local log = {}
  local result = flow.try {
    function()
      flow.spawn(function()
        local ok, err = pcall(function() return work("long", 1000):await() end)
        log[#log + 1] = tostring(ok) .. " " .. err.name
        error(err, 0)
      end)
      work("short", 1):await()
      error(flow.error("Broken", "on purpose"))
    end,
    catch = function(err)
      log[#log + 1] = "caught " .. err.name
      return work("mend", 2):await()
    end,
    finally = function() log[#log + 1] = work("clean up", 2):await() end,
  }:await()
  return result, table.concat(log, ", ")
end)
