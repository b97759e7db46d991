-- Tests of the retry recipes:   flowlua test scripts/retry_spec.lua
local flow = require "flow"

-- What the shared activity does: it fails, it is too slow, it works.
local function unreliable() return flow.test.stub("unreliable"):fails("IllegalState", "not today"):hangs():returns("worked") end

describe("retry_exponential", function()
  for _, form in ipairs { "declared", "decorated", "executed" } do
    it(form .. " waits twice as long after each failure", function()
      local stub = unreliable()
      local t = flow.test.start(form)
      assert.equal("worked", t:result())
      assert.near(0.1 + 0.2 + 0.2, t:elapsed(), 1e-6) -- the delays, and the timeout of the second
      assert.stub(stub).was.called(3)
    end)
  end

  it("executed gives up after five attempts", function()
    flow.test.stub("unreliable"):fails("IllegalState", "never")
    assert.equal("gave up after 5 attempts: never", flow.test.start("executed"):result())
  end)
end)

describe("retry_until_success", function()
  it("never gives up", function()
    local stub = flow.test.stub("unreliable"):times(20):fails("IllegalState"):returns("worked")
    assert.equal("worked", flow.test.start("retry_until_success"):result())
    assert.stub(stub).was.called(21)
  end)
end)

describe("retry_custom", function()
  it("retries timeouts", function()
    unreliable()
    assert.equal("worked", flow.test.start("retry_custom"):result())
  end)
  it("does not, where they are final", function()
    unreliable()
    assert.equal("TimeoutError", flow.test.start("retry_custom", { timeouts_are_final = true }):error().name)
  end)
end)
