-- An activity with a function of its own.
local flow = require "flow"
local n = ...
local slow = flow.activity("slow", { heartbeat = "2s", retry = { initial = "1s", max_attempts = 2 } }, function(n)
  local attempt = flow.activity_info().attempt
  if n < 0 and attempt == 1 then error("first attempt") end
  for _ = 0, n do
    flow.heartbeat()
    flow.sleep(1)
  end
  return "slept " .. (n + 1), attempt
end)
return slow(n):await()
