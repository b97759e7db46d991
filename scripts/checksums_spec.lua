-- Tests of checksums.lua:   flowlua test scripts/checksums_spec.lua
local flow = require "flow"

describe("checksums", function()
  before_each(function()
    flow.test.stub { list_files = { "a", "b", "c" }, write_manifest = {} }
    flow.test.stub("checksum", function(_, file) return { file = file, bytes = 10, sha256 = "sum of " .. file } end)
    flow.test.stub("clean_up")
  end)

  it("writes a manifest of all files, in order", function()
    local manifest = flow.test.stub("write_manifest")
    local t = flow.test.start("checksums", { directory = "photos", manifest = "photos.sha256" })
    assert.same({ files = 3, bytes = 30, manifest = "photos.sha256" }, t:result())
    assert.stub(manifest).was.called_with("photos.sha256", {
      { file = "a", bytes = 10, sha256 = "sum of a" },
      { file = "b", bytes = 10, sha256 = "sum of b" },
      { file = "c", bytes = 10, sha256 = "sum of c" },
    })
  end)

  it("has no more than at_once files in work", function()
    flow.test.stub("checksum"):after("10s"):returns { file = "x", bytes = 1, sha256 = "x" }
    local t = flow.test.start("checksums", { directory = "photos", manifest = "m", at_once = 2 })
    assert.equal(2, #t:activities("checksum"))
    t:result()
    assert.equal(20, t:elapsed())
  end)

  it("tries a file again that cannot be read", function()
    local checksum = flow.test.stub("checksum"):fails("Error", "busy"):returns { file = "x", bytes = 1, sha256 = "x" }
    flow.test.start("checksums", { directory = "photos", manifest = "m" }):result()
    assert.stub(checksum).was.called(4)
  end)

  it("takes away what is half written, whatever happens", function()
    flow.test.stub("write_manifest"):fails("Error", "disk full")
    local clean_up = flow.test.stub("clean_up")
    local t = flow.test.start("checksums", { directory = "photos", manifest = "photos.sha256" })
    assert.equal("disk full", t:error().message)
    assert.stub(clean_up).was.called_with("photos.sha256")
  end)

  it("notices a worker that hangs", function()
    flow.test.stub("list_files"):beats(2, "20s"):hangs()
    local t = flow.test.start("checksums", { directory = "photos", manifest = "m" })
    assert.equal("heartbeat", t:error().timeout)
    assert.equal(70, t:elapsed())
  end)
end)
