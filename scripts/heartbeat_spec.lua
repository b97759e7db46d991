-- Tests of heartbeat.lua:   flowlua test scripts/heartbeat_spec.lua
local flow = require "flow"

describe("heartbeat", function()
  local clean_up
  before_each(function()
    flow.test.stub("temporary_folder", "folder")
    clean_up = flow.test.stub("clean_up")
  end)

  it("goes on where the attempt before got to", function()
    flow.test
      .stub("process_images")
      :beats(3, "1s")
      :fails("Error", "out of memory")
      :runs(function(images, _, call) return { processed = #images, started_at = call.heartbeat_details + 1 } end)
    assert.same({ processed = 5, started_at = 4 }, flow.test.start("heartbeat"):result())
  end)

  it("gives up, and cleans up", function()
    flow.test.stub("process_images"):beats(100, "1s"):returns {}
    local t = flow.test.start("heartbeat", { patience = "10s" })
    assert.same({ given_up = true }, t:result())
    assert.equal(11, t:elapsed()) -- the activity learns of it at its next heartbeat
    assert.stub(clean_up).was.called_with("folder")
  end)

  it("is tried three times when it falls silent", function()
    flow.test.stub("process_images"):hangs()
    local t = flow.test.start("heartbeat")
    t:result()
    assert.equal("heartbeat", t:activities("process_images")[1].error.timeout)
    assert.equal(3, t:activities("process_images")[1].attempts)
    assert.near(3 * 10 + 0.1 + 0.2, t:elapsed(), 1e-6)
  end)
end)
