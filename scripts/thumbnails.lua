-- Thumbnails of every image of a page: try, catch and finally over work that goes on in parallel.
--
-- Each image is a chain of three activities, and no step awaits the one before: a call whose argument is a promise starts
-- when that is ready. When one image fails, the other chains are cancelled; when all of them are gone, catch runs; when that
-- is over too, finally.
--
--   flowlua run scripts/thumbnails.lua --input '["cat.jpg", "dog.jpg", "owl.jpg"]'
--   flowlua run scripts/thumbnails.lua --input '["cat.jpg", "lost.jpg", "owl.jpg"]'    # a broken link
--
-- The activities here only pretend. For real ones, on real images, see the Go program in scripts/thumbnails.
local flow = require "flow"

local download = flow.activity("download", { start_to_close = "10s" }, function(image)
  flow.sleep("50ms")
  if image:find("lost") then error(flow.error("NotFound", "no such image: " .. image, { status = 404 })) end
  return "/scratch/" .. image
end)

local thumbnail = flow.activity("thumbnail", { start_to_close = "10s" }, function(file)
  flow.sleep("50ms")
  return (file:gsub("%.jpg$", "-small.jpg"))
end)

local upload = flow.activity("upload", function(file) return "https://example.com/" .. file:match("[^/]+$") end)
local report = flow.activity("report", function(text) return "reported: " .. text end)
local clean_up = flow.activity("clean_up", function() return "scratch directory removed" end)

flow.workflow("thumbnails", function(images)
  return flow.try {
    function()
      local uploaded = {}
      for i, image in ipairs(images or { "cat.jpg", "dog.jpg", "owl.jpg" }) do
        local file = download(image)
        local small = thumbnail(file)
        uploaded[i] = upload(small)
      end
      return flow.all(uploaded)
    end,

    catch = function(err)
      print(report(err.message):await())
      error(flow.error("ThumbnailError", "failed to process images", { cause = err }))
    end,

    finally = function() print(clean_up():await()) end,
  }
end)
