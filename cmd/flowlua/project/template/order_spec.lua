-- Tests of order.lua, on a virtual clock: flowlua test
local flow = require "flow"
local order = require "order"

describe("an order", function()
  it("is charged and sent", function()
    flow.test.stub { charge = { order = 7, amount = 120 }, send = "parcel 7" }
    local run = flow.test.start(order, { id = 7, amount = 120 })
    assert.equal("parcel 7", run:result())
  end)

  it("is charged again while the bank is busy", function()
    local charge = flow.test.stub("charge"):times(2):fails("Busy"):returns({ order = 7, amount = 120 })
    flow.test.stub("send", "parcel 7")
    local run = flow.test.start(order, { id = 7, amount = 120 })
    assert.equal("parcel 7", run:result())
    assert.stub(charge).was.called(3)
    assert.equal(1 + 2, run:elapsed()) -- the delays of the declared retry
  end)

  it("gives the money back if it cannot be sent", function()
    local receipt = { order = 7, amount = 5000 }
    local refund = flow.test.stub("refund")
    flow.test.stub("charge", receipt)
    flow.test.stub("send"):fails("TooHeavy", "no parcel is that large")
    local run = flow.test.start(order, { id = 7, amount = 5000 })
    assert.equal("TooHeavy", run:error().name)
    assert.stub(refund).was.called_with(receipt)
  end)
end)
