-- A retry strategy of one's own: a settable promise carries the failure out of the scope, and a function decides about it.
--
--   flowlua run scripts/retry_custom.lua
--   flowlua run scripts/retry_custom.lua --input '{"timeouts_are_final": true}'
local flow = require "flow"
local unreliable = require "shared.unreliable"

local function should_retry(err, options) return not (options.timeouts_are_final and err:is("TimeoutError")) end

local retry_on_failure

local function call_with_retry(key, options)
  local failure = flow.promise("failure")
  local value
  flow.try {
    function() value = unreliable(key):await() end,
    catch = function(err) failure:set(err) end,
    finally = function()
      if not failure:ready() then failure:set(nil) end
    end,
  }
  return retry_on_failure(failure, function() return value end, key, options)
end

-- Runs when failure is ready, which is when the scope has come to its end.
retry_on_failure = flow.async(function(failure, value, key, options)
  if not failure then return value() end
  if not should_retry(failure, options) then error(failure) end
  print("once more, after " .. failure.name)
  return call_with_retry(key, options)
end)

flow.workflow("retry_custom", function(options) return call_with_retry(flow.uuid(), options or {}) end)
