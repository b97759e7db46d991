-- Tests of payment.lua:   flowlua test scripts/payment_spec.lua
local flow = require "flow"

describe("payment", function()
  local order = { order = 7, amount = 12.5 }

  it("is charged", function()
    local charge = flow.test.stub("charge", { paid = 12.5 })
    assert.same({ paid = 12.5 }, flow.test.start("payment", order):result())
    assert.stub(charge).was.called_with(12.5)
  end)

  it("is cancelled by a signal, at the next heartbeat", function()
    flow.test.stub("charge"):beats(10, "1s"):returns { paid = 12.5 }
    local t = flow.test.start("payment", order)
    assert.equal("charging 12.5", t:status())
    t:at("2500ms"):signal("cancel_payment", "too expensive")
    assert.same({ cancelled = true, reason = "too expensive" }, t:result())
    assert.equal(3, t:elapsed())
  end)

  it("can change its own mind", function()
    flow.test.spy("charge")
    local t = flow.test.start("payment", { order = 7, amount = 1, change_mind_after = "120ms" })
    assert.is_true(t:result().cancelled)
    assert.near(0.15, t:elapsed(), 1e-6)
  end)

  it(
    "pays once, or says that it is cancelled, whatever comes when #explore",
    function()
      flow.explore("payment", {
        input = order,
        activities = { charge = { returns = { paid = 12.5 } } },
        signals = { cancel_payment = { "too expensive" } },
      })
    end
  )
end)
