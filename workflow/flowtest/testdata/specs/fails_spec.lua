-- Tests that fail: "--- fails: pattern" stands at the line that is named.
local flow = require "flow"
local order = require "order"

it("is not so", function()
  assert.equal(1, 2) --- fails: ^expected 1, got 2$
end)
it("has a message", function()
  assert.is_nil(1, "why not?") --- fails: ^why not\?\nexpected nil, got 1$
end)
it("is in a helper", function()
  local function check(v)
    assert.is_true(v) --- fails: ^expected true, got false$
  end
  check(false)
end)
it("is in a branch", function()
  flow.spawn(function()
    flow.sleep(1)
    assert.same({ a = 1 }, { a = 2 }) --- fails: ^expected and got differ at \.a\n  expected \{ a = 1 \}\n  got      \{ a = 2 \}$
  end)
  flow.sleep("1h")
end)
it("is Lua's", function()
  assert(nil, "nothing") --- fails: ^nothing$
end)
it("is another table", function()
  assert.equal({}, {}) --- fails: expected the same table, got another one that holds the same: assert\.same compares what is inside
end)
it("has more", function()
  assert.same({ 1 }, { 1, 2 }) --- fails: differ at \[2\]
end)
it("differs where nothing is shown", function()
  local a, b = {}, {}
  for i = 1, 200 do a[i], b[i] = i, i end
  b[150] = 0
  assert.same(a, b) --- fails: ^expected and got differ at \[150\]\n  expected 150\n  got      0$
end)
it("differs in the depth", function()
  local a, b = {}, { x = 1 }
  for _ = 1, 500 do a, b = { n = a }, { n = b } end
  assert.same(a, b) --- fails: ^expected and got differ at (\.n){10}…(\.n){9}\.x\n  expected nil\n  got      1$
end)
it("starts what it declares itself", function()
  flow.test.start(flow.workflow("own", function() end)) --- fails: workflow 'own' is declared inside of the test: declare it at the top level
end)
it("starts itself", function()
  flow.test.start("flow.test", 1) --- fails: 'flow\.test' is what a test is, and cannot be tested
end)
it("is a long text", function()
  assert.equal(("line\n"):rep(5) .. "a", ("line\n"):rep(5) .. "b") --- fails: \(-expected, \+got\)\n  line\n  line\n  line\n- a\n\+ b$
end)
it("raises nothing", function()
  assert.has_error(function() end, "no") --- fails: ^expected an error "no", there was none$
end)
it("raises something else", function()
  assert.has_error(function() error("yes") end, "no") --- fails: ^expected the error "no", got Error: yes$
end)
it("should not raise", function()
  assert.has_no.errors(function() error("yes") end) --- fails: ^expected no error, got Error: yes$
end)
it("was called otherwise", function()
  local s = spy.new()
  s(1) s("a", { 2 })
  assert.spy(s).was.called_with(3) --- fails: to be called with \(3\), it was called 2 times:\n  \(1\)\n  \("a", \{ 2 \}\)$
end)
it("was called", function()
  local s = flow.test.stub("charge", 1)
  flow.activity("charge")(7):await()
  assert.stub(s).was_not.called() --- fails: expected 'charge' not to be called at least once, it was called once:\n  \(7\)$
end)
it("has a wrong word", function()
  assert.is_smae(1, 1) --- fails: assert has no 'is_smae' \(did you mean 'same'\?\)
end)
it("says nothing", function()
  assert.is_not(1) --- fails: assert\.is_not says nothing to check
end)
it("misses an argument", function()
  assert.same() --- fails: assert\.same expects 2 arguments, got 0
end)
it("is no spy", function()
  assert.spy(print).was.called() --- fails: assert\.spy expects a spy or a stub, got function
end)
it("spies on nothing", function()
  spy.on({}, "f") --- fails: spy\.on: there is no function 'f' in the table, but nil
end)
it("completes", function()
  flow.test.stub { charge = 1, deliver = 5 }
  flow.test.start(order, { id = 7 }):error() --- fails: ^expected run 'order' to fail, it completed with \(5\)$
end)
it("starts an activity", function()
  flow.test.start(flow.activity("charge")) --- fails: flow\.test\.start expects a workflow, got activity 'charge'
end)
it("has an unknown word in a stub", function()
  flow.test.stub("charge"):retruns(1) --- fails: a stub of activity 'charge' has no 'retruns' \(did you mean 'returns'\?\)
end)
it("gives what cannot leave", function()
  flow.test.stub("charge", { print }) --- fails: stub 'charge': result\[1\]: a function cannot leave the run
end)
it("fails with nothing", function()
  flow.test.stub("charge"):fails() --- fails: fails expects the name of an error
end)
it("comes before now", function()
  local t = flow.test.start(order, { id = 7, wait = true })
  flow.sleep("1h")
  t:at("1m"):signal("approve") --- fails: signal 'approve': run 'order' is older than 1m already
end)
it("is inside of another", function()
  it("test", function() end) --- fails: it cannot be used inside of a test
end)
it("has no such query", function()
  flow.test.start(order, { id = 7, wait = true }):query("aproved") --- fails: the run answers to no query 'aproved' \(did you mean 'approved'\?\)
end)
it("spies on what has no function", function()
  flow.test.spy("deliver")
  flow.activity("deliver")():await() --- fails: flow\.test\.spy\("deliver"\) lets the activity's own function run, but the script of run 'test' has none
end)
it("raises in the function of a stub, in the workflow", function()
  flow.test.stub("charge", function() error("broken stub") end)
  flow.test.stub("refund")
  flow.test.start("fails_at_once.lua"):result() --- fails: ^broken stub$
end)

describe("stubs with too much to do", function()
  it("has a heart that beats too often", function()
    flow.test.stub("charge"):beats(1e9, "1s")  --- fails: stub 'charge': beats: at most 100000 heartbeats, got 1000000000
  end)
  it("calls itself", function()
    local charge = flow.activity("charge")
    flow.test.stub("charge", function(x)
      return charge(x):await()  --- fails: 1000 calls of the stub 'charge' are under way .* use flow.test.spy\("charge"\)
    end)
    charge(7):await()
  end)
  it("compares matchers", function()
    assert.same({ x = match.is_number() }, { x = match.is_number() })  --- fails: differ at .x\n  expected match.is_number\(\)\n  got      match.is_number\(\)
  end)
end)
describe("misuse of matchers and stubs", function()
  it("has a matcher as a key", function()
    assert.same({ [match.is_number()] = 1 }, { x = 1 })  --- fails: a matcher cannot stand for a key: only for a value
  end)
  it("has a matcher on the wrong side", function()
    assert.same(7, match.is_number())  --- fails: a matcher stands for what is expected, which comes first
  end)
  it("has a matcher where == decides", function()
    assert.equal(match.is_number(), 7)  --- fails: assert.equal is ==, which does not know matchers: assert.same\(match.is_number\(\), …\)
  end)
  it("says of a value what is said of a spy", function()
    assert.was.called()  --- fails: that is said of a spy, as in assert.spy\(s\).was.called\(…\)
  end)
  it("has a heart that beats for too long", function()
    flow.test.stub("charge"):beats(1e5, "30d")  --- fails: the last of 100000 heartbeats, one every .*, would be later than in 100 years
  end)
end)
describe("what cleans up fails, too", function()
  after_each(function() error("cannot clean up") end)
  it("does not take the place of the test's own failure", function()
    assert.equal(1, 2)  --- fails: ^expected 1, got 2$
  end)
end)
