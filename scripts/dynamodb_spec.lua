-- Tests of dynamodb.lua:   flowlua test scripts/dynamodb_spec.lua
local flow = require "flow"

describe("put", function()
  it("backs off while it is throttled", function()
    local put = flow.test
      .stub("put_item")
      :fails("ProvisionedThroughputExceededException", "too fast", { status = 400 })
      :fails("InternalServerError", "try later", { status = 500 })
      :returns("stored")
    local t = flow.test.start("put", { id = 7 })
    assert.equal("stored", t:result())
    assert.near(0.05 + 0.1, t:elapsed(), 1e-6)
    assert.stub(put).was.called(3)
  end)

  it("does not repeat what the service will never accept", function()
    local put = flow.test.stub("put_item"):fails("ConditionalCheckFailedException", "no", { status = 400 })
    assert.equal("not stored", flow.test.start("put"):result())
    assert.stub(put).was.called(1)
  end)

  it("does so with its own activity, too", function()
    flow.test.spy("put_item")
    assert.equal("stored in attempt 3", flow.test.start("put"):result())
  end)
end)

describe("wait", function()
  before_each(function() flow.test.stub("create_table", "token") end)

  it("asks again after 0.1, 0.3, 0.9 seconds", function()
    flow.test.stub("get_result"):returns("NOT_READY"):fails("ThrottlingException", "too fast"):returns("SUCCESS")
    local t = flow.test.start("wait")
    assert.equal("the table is ready", t:result())
    assert.near(0.1 + 0.3 + 0.9, t:elapsed(), 1e-6)
  end)

  it("gives up after so many checks, but none too many", function()
    local get = flow.test.stub("get_result", "NOT_READY")
    assert.equal("TimeoutError", flow.test.start("wait", { max_retries = 2 }):error().name)
    assert.stub(get).was.called(3)
  end)
end)
