-- The activity that the retry recipes share. Its first call raises IllegalState, its second one exceeds its time, its third
-- one works. The calls are counted in a file, because nothing else outlives an activity.
local flow, fs = require "flow", require "fs"

local function counter(key)
  local path = fs.join(os.getenv("TMPDIR") or "/tmp", "flowlua-unreliable-" .. key)
  local count = fs.stat(path) and tonumber(fs.read(path)) + 1 or 1
  fs.write(path, tostring(count))
  return count, function() fs.remove_all(path) end
end

return flow.activity("unreliable", { start_to_close = "200ms" }, function(key)
  local call, forget = counter(key)
  if call == 1 then
    error(flow.error("IllegalState", "not today"))
  elseif call == 2 then
    flow.sleep("1h")
  end
  forget()
  return "worked on call " .. call
end)
