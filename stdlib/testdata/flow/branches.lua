--- nothing runs inside the call that starts it; the queue is first in, first out
flow.spawn(function() print("first") end)
flow.spawn(function() print("second") end)
print("body") --> body
flow.yield() --> first
print("again") --> second
-- --> again
--- arguments and results are multi-values
local p = flow.spawn(function(...) return select("#", ...), ... end, 1, nil, nil)
print(p:await()) --> 3	1	nil	nil
print(select("#", flow.spawn(function() end):await())) --> 0
print(flow.spawn(function() return nil, nil end):await()) --> nil	nil
--- whatever can be called can be a branch
local t = setmetatable({}, { __call = function(self, x) return x, "called" end })
print(flow.spawn(t, 1):await()) --> 1	called
print(flow.spawn(flow.activity("echo"), 2):await()) --> 2
print(flow.spawn(tostring, 3):await()) --> 3
--- a branch may outlive its creator, and keeps its scope open
flow.spawn(function()
  flow.spawn(function() flow.sleep(1) print("child") end) --> child
end)
--- async waits for promises among its arguments, and no others
local f = flow.async(function(a, b, c, ...) return a, b, c.p:await(), ... end)
print(f(flow.timer(1, "a", "lost"), "b", { p = flow.timer(2, "c") }, flow.timer(3, "d")):await()) --> a	b	c	d
print(flow.now() % 60) --> 3
--- async: a failed argument fails the call
local f = flow.async(function() print("never") end)
local p = f(flow.spawn(error, flow.error("Early")), flow.timer("1h"))
local ok, err = pcall(p.await, p)
print(err.name) --> Early
--- async: nil arguments count as ready
print(flow.async(function(a, b) return a, b end)(nil, 1):await()) --> nil	1
--- nowait passes a promise as itself
local s = flow.promise()
local f = flow.async(function(p) p:set("set inside") return "done" end)
print(f(flow.nowait(s)):await(), s:await()) --> done	set inside
--- daemons end with the last ordinary branch
flow.try {
  function()
    flow.daemon(function()
      local ok, err = pcall(flow.sleep, "1h")
      print("daemon", err.name) --> daemon	CancelledError
    end)
    flow.sleep(1)
  end,
  catch = function() print("never") end,
  finally = function() print("finally", flow.now() % 60) end, --> finally	1
}
--- a daemon that fails before the end fails the scope
flow.try {
  function()
    flow.daemon(function() error("d", 0) end)
    flow.sleep(1)
  end,
  catch = function(err) print(err.message) end, --> d
}
--- yield in several branches
local function say(name)
  for i = 1, 2 do print(name .. i) flow.yield() end
end
flow.spawn(say, "a") --> a1
flow.spawn(say, "b") --> b1
-- --> a2
-- --> b2
--- shield in a branch that is not cancelled
print(flow.shield(function(a) flow.sleep(1) return a, 2 end, 1)) --> 1	2
print(pcall(flow.shield, error, "text")) --> false	text
--- ten thousand branches
local n, sum = 10000, 0
for i = 1, n do
  flow.spawn(function() flow.sleep(i % 7) sum = sum + 1 end)
end
flow.sleep(7)
print(sum) --> 10000
--- ten thousand promises in one table
local t = {}
for i = 1, 10000 do t[i] = flow.timer(i % 5, i) end
local sum = 0
for _, v in ipairs(flow.all(t):await()) do sum = sum + v end
print(sum) --> 50005000
--- recursion through branches, a thousand deep
local function down(n)
  if n == 0 then return "bottom" end
  return flow.spawn(down, n - 1)
end
print(flow.spawn(down, 1000):await()) --> bottom
--- recursion that awaits, in a branch of its own
local function sum(n)
  if n == 0 then flow.sleep(1) return 0 end
  return n + sum(n - 1)
end
print(flow.spawn(sum, 500):await(), sum(150)) --> 125250	11325
--- errors from a thousand branches deep keep their identity and a bounded stack
local deep = flow.error("Deep", "x")
local function down(n)
  if n == 0 then error(deep) end
  flow.spawn(down, n - 1):await()
end
local ok, err = pcall(down, 1000)
print(err == deep, #err:trace() < 2000) --> true	true
