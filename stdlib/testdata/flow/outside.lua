--- side effects are recorded once, their errors are not
print(flow.side_effect(function() return "a", { 1 }, nil end)) --> a	table: 0x00000001	nil
print(pcall(flow.side_effect, function() error("x", 0) end)) --> false	x
local low = flow.error("Low")
print(select(2, pcall(flow.side_effect, function() error(low) end)) == low) --> true
--- random streams belong to branches
local function three() return math.random(1000), math.random(1000), math.random(1000) end
local a = { three() }
local p = flow.spawn(three)
local b = { p:await() }
print(a[1] == b[1] and a[2] == b[2] and a[3] == b[3]) --> false
--- uuids
local id = flow.uuid()
print(id:match("^%x%x%x%x%x%x%x%x%-%x%x%x%x%-4%x%x%x%-[89ab]%x%x%x%-%x%x%x%x%x%x%x%x%x%x%x%x$") == id) --> true
--- version
print(flow.version("c", 0, 3)) --> 3
--- info
local i = flow.info()
print(i.id, i.run, i.workflow, i.replaying, i.turn, i.parent) --> order-7	1	order	false	1	nil
--- a side effect cannot be left by a coroutine around it
local co = coroutine.wrap(function()
  return pcall(flow.side_effect, function() coroutine.yield("half way") end)
end)
print(co()) --> false	test.lua:3: attempt to yield from outside a coroutine
flow.sleep(1)
print(pcall(flow.timer, 1)) --> true	promise (1s, waiting)
--- a side effect changes nothing of the run
local p, s, ch, policy = flow.promise(), flow.semaphore(1), flow.channel(), flow.retry()
s:acquire()
local function tries(name, fn) print(name, select(2, pcall(flow.side_effect, fn))) end
tries("set", function() p:set(1) end) --> set	test.lua:5: promise:set cannot be used in a side effect, which may change nothing of the run
for name, fn in pairs {
  fail = function() p:fail(1) end,
  chain = function() p:chain(flow.promise()) end,
  unchain = function() p:unchain() end,
  cancel = function() p:cancel() end,
  release = function() s:release() end,
  close = function() ch:close() end,
  change = function() policy:set { max_attempts = 1 } end,
  on = function() flow.on("s", print) end,
  query = function() flow.query("q", print) end,
} do
  assert(tostring(select(2, pcall(flow.side_effect, fn))):find("cannot be used in a side effect, which may change nothing"), name)
end
print(p:ready()) --> false
