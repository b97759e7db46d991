--- buffered until taken, in order, with their values
-- signal: 1 s [1,"a"]
-- signal: 1 s [2]
flow.sleep(2)
print(flow.signal("s"):await()) --> 1	a
print(flow.signal("s"):await()) --> 2
print(pcall(function() return flow.signal("s"):await("1s") end)) --> false	TimeoutError: 1s passed
--- who waits longest is first
-- signal: 1 s ["x"]
-- signal: 2 s ["y"]
for i = 1, 2 do flow.spawn(function() print(i, flow.signal("s"):await()) end) end --> 1	x
flow.sleep(3) --> 2	y
--- one that was on its way to a branch that is cancelled goes to the next
-- signal: 5 stop
-- signal: 5 s ["kept"]
local p = flow.spawn(function() flow.signal("s"):await() print("never") end)
flow.spawn(function() flow.signal("stop"):await() p:cancel() end)
pcall(p.await, p)
print(flow.signal("s"):await()) --> kept
--- each
-- signal: 1 item ["pen"]
-- signal: 2 item
-- signal: 3 item ["end"]
local json = require "json"
for item in flow.signal("item"):each() do
  print(item == json.null and "null" or item) --> pen
  if item == "end" then break end --> null
end --> end
--- on: also for what came before, in branches of the root
-- signal: 1 s [1]
-- signal: 4 s [2]
flow.sleep(2)
flow.try {
  function()
    flow.on("s", function(n)
      flow.sleep(1)
      print("handled", n, flow.now() % 60) --> handled	1	3
    end)
  end,
}:await()
flow.sleep(2) --> handled	2	5
--- a handler that has begun is waited for
-- signal: 1 s
flow.on("s", function() flow.sleep(5) print("end", flow.now() % 60) end) --> end	6
flow.sleep(1)
--- a handler that fails fails the run
-- signal: 1 s
flow.on("s", function()
  error("in the handler") --- error: in the handler
end)
flow.sleep("1h")
--- signals during try, catch and finally
-- signal: 1 s ["try"]
-- signal: 3 s ["catch"]
-- signal: 5 s ["finally"]
flow.on("s", function(what) print(what) end)
flow.try {
  function() flow.sleep(2) error("x") end, --> try
  catch = function() flow.sleep(2) end, --> catch
  finally = function() flow.sleep(2) end, --> finally
}:await()
print(flow.now() % 60) --> 6
--- a signal that cancels a scope: the payment
-- signal: 5 cancel_payment
local payment = flow.try {
  function() flow.activity("slow")(3600) end,
  catch = { CancelledError = function() return "payment cancelled" end },
}
flow.on("cancel_payment", function() payment:cancel() end)
print(payment:await()) --> payment cancelled
--- send
flow.send("order-8", "approve", { by = "Ann" }):await()
print(flow.now() % 60) --> 1
local p = flow.send("nobody", "approve")
local ok, err = pcall(p.await, p)
print(err.name, err:is("NotFound"), err:trace():find("test.lua:4", 1, true) ~= nil) --> SignalError	true	true
--- the same inbox by the same name
-- signal: 1 s ["v"]
local a, b = flow.signal("s"), flow.signal("s")
local p = flow.spawn(function() return a:await() end)
flow.yield()
print(pcall(b.await, b, 2)) --> false	TimeoutError: 2s passed
print(p:await()) --> v
