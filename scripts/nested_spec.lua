-- Tests of nested.lua:   flowlua test scripts/nested_spec.lua
local flow = require "flow"

describe("nested", function()
  before_each(function()
    flow.test.stub("a"):after("1s"):returns("a")
    flow.test.stub("b"):fails("Trouble", "no")
    flow.test.stub("c"):after("2s"):returns("c")
  end)

  it("keeps an error inside of the scope that handles it", function()
    local t = flow.test.start("nested")
    assert.same({ "a", "c" }, t:result())
    assert.equal(2, t:elapsed())
  end)

  it("lets it go up when it is raised again", function()
    local t = flow.test.start("nested", { rethrow = true })
    assert.same({ "stopped" }, t:result())
    assert.equal("Trouble", t:activities("b")[1].error.name)
  end)
end)
