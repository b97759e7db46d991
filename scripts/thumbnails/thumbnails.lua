-- The workflow of this program: a thumbnail for every image of a page. The activities are Go functions (main.go).
local flow = require "flow"

local images = flow.activities {
  list = { start_to_close = "30s" },
  download = { start_to_close = "1m", heartbeat = "10s", retry = { initial = "200ms", max_attempts = 3 } },
  thumbnail = { start_to_close = "1m" },
  upload = { start_to_close = "1m" },
  clean_up = { start_to_close = "1m" },
}

flow.workflow("thumbnails", function(job)
  return flow.try {
    function()
      local written = {}
      for i, url in ipairs(images.list(job.page):await()) do
        local file = images.download(url, job.scratch) -- no await: each call waits for its argument,
        local thumb = images.thumbnail(file, job.size) -- so every image goes through at its own pace
        written[i] = images.upload(thumb, job.out, i)
      end
      return flow.all(written)
    end,

    -- Runs once, when every other image has been stopped.
    catch = function(err) error(flow.error("ThumbnailError", "failed to process the images of " .. job.page, { cause = err })) end,

    -- Runs when all is over, whatever happened.
    finally = function() images.clean_up(job.scratch) end,
  }
end)
