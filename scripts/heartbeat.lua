-- A long activity that reports how far it is, and cleans up when it is cancelled.
--
-- A heartbeat says that the activity is alive, carries details that the next attempt can read, and is the place where
-- cancellation reaches it: flow.heartbeat raises CancelledError, the activity cleans up and raises it again.
--
--   flowlua run scripts/heartbeat.lua                             # all images, in two attempts
--   flowlua run scripts/heartbeat.lua --input '{"patience": 0.1}' # gives up after 0.1 s
local flow, fs = require "flow", require "fs"

local process_images = flow.activity("process_images", {
  start_to_close = "1m",
  heartbeat = "10s",
  retry = { initial = "100ms", max_attempts = 3 },
}, function(images, folder)
  fs.mkdir(folder)
  local done = flow.heartbeat_details() or 0 -- where the attempt before got to
  for i = done + 1, #images do
    fs.write(fs.join(folder, images[i]), "pixels of " .. images[i])
    flow.sleep("20ms")
    if images[i] == "heavy.jpg" and flow.activity_info().attempt == 1 then error("out of memory at " .. images[i]) end
    local ok, err = pcall(flow.heartbeat, i)
    if not ok then
      fs.remove_all(folder)
      error(err, 0)
    end
  end
  return { processed = #images, started_at = done + 1, attempt = flow.activity_info().attempt }
end)

local temporary_folder = flow.activity("temporary_folder", function(name) return fs.join(os.getenv("TMPDIR") or "/tmp", name) end)

local clean_up = flow.activity("clean_up", function(folder) fs.remove_all(folder) end)

flow.workflow("heartbeat", function(options)
  options = options or {}
  local images = { "cat.jpg", "dog.jpg", "heavy.jpg", "owl.jpg", "toad.jpg" }
  local folder = temporary_folder("flowlua-heartbeat-" .. flow.uuid()):await()
  return flow.try {
    function()
      return flow.timeout(options.patience or "1m", function() return process_images(images, folder):await() end)
    end,
    catch = {
      TimeoutError = function(err)
        print("gave up: " .. err.message)
        return { given_up = true }
      end,
    },
    finally = function() clean_up(folder) end,
  }
end)
