--- await in pcall and xpcall, nested
print(pcall(pcall, function() return flow.timer(1, "v"):await() end)) --> true	true	v
print(xpcall(function() flow.timer(1):await() error("x", 0) end, function(m) return "handled " .. m end)) --> false	handled x
--- await in metamethods
local mt = {}
for _, event in ipairs { "__add", "__concat", "__lt", "__eq", "__unm", "__call" } do
  mt[event] = function() return flow.timer(1, event):await() end
end
mt.__index = function(_, k) return flow.timer(1, k):await() end
mt.__newindex = function(t, k, v) rawset(t, k, flow.timer(1, v):await()) end
mt.__tostring = function() return flow.timer(1, "text"):await() end
local a, b = setmetatable({}, mt), setmetatable({}, mt)
print(a + b, a .. b, a < b, a == b, -a, a(), a.key, tostring(a)) --> __add	__concat	true	true	__unm	__call	key	text
b.new = "value"
print(rawget(b, "new"), flow.now() % 60) --> value	9
--- await in iterators
local function iter() return flow.timer(1, "item"):await() end
local n = 0
for v in iter do n = n + 1 if n == 3 then break end end
print(n, flow.now() % 60) --> 3	3
--- await in callbacks of gsub and sort
print((("a b c"):gsub("%a", function(c) return flow.timer(1, c:upper()):await() end))) --> A B C
local t = { 3, 1, 2 }
table.sort(t, function(x, y) flow.sleep(1) return x < y end)
print(table.concat(t, " ")) --> 1 2 3
--- await in coroutines, and in coroutines within them
local co = coroutine.wrap(function(x)
  for i = 1, 2 do
    local inner = coroutine.wrap(function() coroutine.yield(flow.timer(1, x .. i):await()) end)
    coroutine.yield(inner())
  end
end)
print(co("a"), co(), flow.now() % 60) --> a1	a2	2
--- two branches await in coroutines that take turns
local function make(name)
  return coroutine.wrap(function()
    for i = 1, 3 do flow.sleep(1) coroutine.yield(name .. i) end
  end)
end
for _, name in ipairs { "x", "y" } do
  flow.spawn(function()
    local co = make(name)
    print(co(), co(), co()) --> x1	x2	x3
  end) --> y1	y2	y3
end
--- errors and cancellation pass through all of these
local p = flow.spawn(function()
  local t = setmetatable({}, { __index = function() flow.sleep("1h") end })
  local ok, err = pcall(function()
    for _ in function() return (("a"):gsub(".", function() return t.x end)) end do end
  end)
  print(ok, err) --> false	CancelledError: stop
  error(err)
end)
flow.sleep(1)
p:cancel("stop")
--- an error of an await inside gsub keeps its identity
local low = flow.error("Low")
local p = flow.promise()
p:fail(low)
print(select(2, pcall(string.gsub, "a", ".", function() return p:await() end)) == low) --> true
--- spawn and try from anywhere
print((("ab"):gsub(".", function(c) return flow.try { function() return flow.spawn(function() return c .. c end) end }:await() end))) --> aabb
--- pcall around everything
local ok = pcall(function()
  local ok = pcall(function()
    pcall(flow.sleep, 1)
    pcall(error, "x")
    pcall(flow.spawn, function() end)
    flow.try { function() pcall(flow.sleep, 1) error("y") end, catch = function() pcall(error, "z") end }:await()
    error("last")
  end)
  assert(not ok)
end)
print(ok, flow.now() % 60) --> true	2
