-- Tests of thumbnails.lua:   flowlua test scripts/thumbnails_spec.lua
local flow = require "flow"

describe("thumbnails.lua", function()
  local clean_up
  before_each(function()
    flow.test.stub("download"):after("1s"):returns("/scratch/cat.jpg")
    flow.test.stub("thumbnail"):after("1s"):returns("/scratch/small.jpg")
    flow.test.stub("upload", "https://example.com/small.jpg")
    flow.test.stub("report", "reported")
    clean_up = flow.test.stub("clean_up", "removed")
  end)

  local function start(...) return flow.test.start("thumbnails.lua", { ... }) end

  it("works on all images at once", function()
    local t = start("cat.jpg", "dog.jpg", "owl.jpg")
    assert.equal(3, #t:result())
    assert.equal(2, t:elapsed())
    assert.equal(3, #t:activities("upload"))
  end)

  it("stops the others when one fails, reports it once, and cleans up", function()
    flow.test.stub("download"):returns("/scratch/cat.jpg"):fails("NotFound", "no dog", { status = 404 })
    local report = flow.test.stub("report", "reported")
    local t = start("cat.jpg", "dog.jpg")
    local err = t:error()
    assert.equal("ThumbnailError", err.name)
    assert.equal("no dog", err.cause.message)
    assert.equal(0, #t:activities("upload"))
    assert.stub(report).was.called(1)
    assert.stub(clean_up).was.called(1)
  end)

  it("cleans up when it is cancelled", function()
    local t = start("cat.jpg")
    t:cancel("enough")
    assert.equal("CancelledError", t:error().cause.name)
    assert.stub(clean_up).was.called(1)
  end)
end)
