-- Exponential retry in its three forms. Each waits 0.1 s after the first failure and twice as long after each further one, and
-- makes at most five attempts.
--
--   flowlua run scripts/retry_exponential.lua --workflow declared
--   flowlua run scripts/retry_exponential.lua --workflow decorated
--   flowlua run scripts/retry_exponential.lua --workflow executed
local flow = require "flow"
local unreliable = require "shared.unreliable"

-- 1. Declared with the activity: checked when the script is loaded, the same for every call, and made by the engine: the
-- attempts do not show in the run's history.
local declared = unreliable:with {
  retry = { initial = "100ms", max_attempts = 5, retry_on = { "IllegalState", "TimeoutError" } },
}

flow.workflow("declared", function() return declared(flow.uuid()) end)

-- 2. A decorator: made while the workflow runs, and a change of the policy takes effect at the next failure.
flow.workflow("decorated", function()
  local policy = flow.retry { initial = "100ms", max_attempts = 1 }
  local patient = policy:decorate(unreliable)
  local result = patient(flow.uuid())
  policy:set { max_attempts = 5 }
  return result
end)

-- 3. An executor: each attempt calls a function that can do more than call one activity.
flow.workflow("executed", function()
  local policy = flow.retry { initial = "100ms", max_attempts = 5 }
  local key, attempts = flow.uuid(), 0
  return flow.try {
    function()
      return policy:run(function()
        attempts = attempts + 1
        print("attempt " .. attempts)
        return unreliable(key)
      end)
    end,
    catch = function(err) return "gave up after " .. attempts .. " attempts: " .. err.message end,
  }
end)
