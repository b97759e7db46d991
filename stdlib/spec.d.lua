---@meta spec

---The words of spec files: files whose names end in `_spec.lua`, which `flowlua test` runs. Each `it` is a workflow of its own in a
---world of its own with a virtual clock; nothing is left of one test when the next begins, not even the variables of the file.

---Groups tests. The name and those of the groups around it come before the name of each test. Words that begin with `#` are tags.
---```lua
---describe("an order #slow", function()
---  it("is charged", function() assert.is_true(true) end)
---end)
---```
---@param name string
---@param fn fun()
function describe(name, fn) end

---A test: a workflow, which may wait and start branches like any other. It passes when it returns. Without a function it is pending.
---```lua
---it("sleeps a year in no time", function()
---  flow.sleep("365d")
---  assert.equal(365 * 24 * 3600, flow.test.elapsed())
---end)
---```
---@param name string
---@param fn? async fun()
function it(name, fn) end

---Outside of a test, one that is still to be written; inside of a test, its end without a verdict.
---```lua
---pending("refunds the shipping costs")
---it("asks twice", function() pending("as soon as there are two to ask") end)
---```
---@param name? string
---@param fn? fun() not run
function pending(name, fn) end

---Runs before each test of the group and of those in it, those of outer groups first.
---```lua
---before_each(function() flow.test.stub("charge", "receipt") end)
---it("has a stub", function() assert.equal("receipt", flow.activity("charge")():await()) end)
---```
---@param fn async fun()
function before_each(fn) end

---Runs after each test of the group and of those in it, however it ended, those of inner groups first.
---```lua
---after_each(function() print("after") end)
---it("is followed", function() print("test") end)
-----> test
-----> after
---```
---@param fn async fun()
function after_each(fn) end

---Like before_each, but before all of them: as every test begins with nothing, it runs for each.
---```lua
---before_each(function() print("then") end)
---setup(function() print("first") end)
---it("begins", function() end)
-----> first
-----> then
---```
---@param fn async fun()
function setup(fn) end

---Like after_each, but after all of them.
---```lua
---teardown(function() print("last") end)
---after_each(function() print("then") end)
---it("ends", function() end)
-----> then
-----> last
---```
---@param fn async fun()
function teardown(fn) end

---Inside of a test: runs when it is over, however it ended.
---```lua
---it("cleans up", function()
---  finally(function() print("cleaned up") end)
---  print("test")
---end)
-----> test
-----> cleaned up
---```
---@param fn async fun()
function finally(fn) end
