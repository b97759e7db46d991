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
