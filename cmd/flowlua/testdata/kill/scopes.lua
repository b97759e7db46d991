-- "caught Broken; mended; finally 1; spawned CancelledError"
local flow = require "flow"

local work = flow.activity("work", function(text, pause)
  flow.sleep(pause)
  return text
end)

flow.workflow("main", function()
  local finals, spawned = 0, "?"
  local result = flow.try {
    function()
      flow.spawn(function()
        local ok, err = pcall(function() work("long", "1h"):await() end)
        spawned = ok and "no error" or err.name
        error(err, 0)
      end)
      work("short", "20ms"):await()
      error(flow.error("Broken", "on purpose"))
    end,
    catch = function(err) return "caught " .. err.name .. "; " .. work("mended", "20ms"):await() end,
    finally = function()
      finals = finals + 1
      work("clean", "20ms"):await()
    end,
  }:await()
  return result .. "; finally " .. finals .. "; spawned " .. spawned
end)
