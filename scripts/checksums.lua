-- Checksums of every file below a directory, eight at a time, and a manifest that "sha256sum --check" understands.
--
--   flowlua run scripts/checksums.lua --input '"."'
--   flowlua run scripts/checksums.lua --input '{"directory": "photos", "manifest": "photos.sha256", "at_once": 2}'
--
-- The workflow below decides; the activities above it do the work, outside and in parallel. What fails is tried again, a worker
-- that hangs is noticed because its heartbeat stops, and finally takes away what a failed or cancelled run leaves half-written.
local flow, fs, hash = require "flow", require "fs", require "hash"

-- The paths of all files below a directory, relative to it, in order.
local list_files = flow.activity("list_files", { start_to_close = "10m", heartbeat = "30s" }, function(directory, skip)
  local files = {}
  local function visit(folder)
    flow.heartbeat(#files)
    for _, entry in ipairs(fs.list(fs.join(directory, folder))) do
      local path = fs.join(folder, entry.name)
      if entry.type == "directory" and not skip[entry.name] then
        visit(path)
      elseif entry.type == "file" then
        files[#files + 1] = path
      end
    end
  end
  visit("")
  return files
end)

local checksum = flow.activity("checksum", {
  start_to_close = "10m",
  retry = { initial = "100ms", max_attempts = 3 },
}, function(directory, file)
  local path = fs.join(directory, file)
  return { file = file, bytes = fs.stat(path).size, sha256 = hash.file(path, "sha256") }
end)

-- Line by line into a file beside the manifest, which takes its place at the end: whoever looks finds all of it or nothing.
local write_manifest = flow.activity("write_manifest", { start_to_close = "10m", heartbeat = "30s" }, function(path, sums)
  local part = assert(io.open(path .. ".part", "w"))
  for i, sum in ipairs(sums) do
    assert(part:write(sum.sha256, "  ", sum.file, "\n"))
    flow.heartbeat(i)
  end
  assert(part:close())
  assert(os.rename(path .. ".part", path))
end)

local temporary_path = flow.activity("temporary_path", function(name) return fs.join(os.getenv("TMPDIR") or "/tmp", name) end)

local clean_up = flow.activity("clean_up", function(path) fs.remove_all(path .. ".part") end)

flow.workflow("checksums", function(input)
  local job = type(input) == "table" and input or { directory = input or "." }
  local started = flow.now()
  local manifest = job.manifest or temporary_path("checksums-" .. flow.info().id:gsub("%W", "-") .. ".sha256"):await()

  return flow.try {
    function()
      local files = list_files(job.directory, { [".git"] = true }):await()
      flow.status(("%d files"):format(#files))

      local sums = flow.map(files, function(file) return checksum(job.directory, file) end, { concurrency = job.at_once or 8 }):await()

      local bytes = 0
      for _, sum in ipairs(sums) do
        bytes = bytes + sum.bytes
      end
      write_manifest(manifest, sums):await()

      print(("%d files, %.1f MB in %.1f s"):format(#sums, bytes / 1e6, flow.now() - started))
      return { files = #sums, bytes = bytes, manifest = manifest }
    end,

    finally = function() clean_up(manifest) end,
  }
end)
