-- Retry until it works, with nothing but a scope, a settable promise and recursion.
--
-- catch does not call the activity again itself: what runs in catch cannot be cancelled. It only says that another attempt is
-- needed; restart, which waits for that word, makes it outside the scope.
--
--   flowlua run scripts/retry_until_success.lua
local flow = require "flow"
local unreliable = require "shared.unreliable"

local restart

local function run_until_success(key)
  local again = flow.promise("again")
  local value
  flow.try {
    function()
      value = unreliable(key):await()
      again:set(false)
    end,
    catch = function(err)
      print("failed: " .. tostring(err))
      again:set(true)
    end,
  }
  return restart(again, function() return value end, key)
end

-- An asynchronous function: it starts when the promises among its arguments are ready, and gets their values.
restart = flow.async(function(again, value, key)
  if again then return run_until_success(key) end
  return value()
end)

flow.workflow("retry_until_success", function() return run_until_success(flow.uuid()) end)
