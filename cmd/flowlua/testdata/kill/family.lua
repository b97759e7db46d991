-- "6 heard, TooMany, CancelledError after clean-up"
local flow = require "flow"

local work = flow.activity("work", function(text) flow.sleep("10ms") return text end)

local listener = flow.workflow("listener", function(to)
  local sum = 0
  for _ = 1, 3 do sum = sum + flow.signal("number"):await() end
  flow.send(to, "sum", sum):await()
  return "heard"
end)

local failing = flow.workflow("failing", function(n)
  work("child"):await()
  error(flow.error("TooMany", "child " .. n))
end)

local endless = flow.workflow("endless", function(to)
  flow.try {
    function() flow.sleep("1h") end,
    finally = function() flow.send(to, "cleaned", work("clean-up"):await()):await() end,
  }:await()
end)

flow.workflow("main", function()
  local me = flow.info().id
  local heard = listener:with { id = me .. "-listener" }(me)
  local long = endless(me)
  for i = 1, 3 do
    flow.send(me .. "-listener", "number", i):await()
    flow.sleep("5ms")
  end
  local sum = flow.signal("sum"):await()
  local _, err = pcall(function() failing(1):await() end)
  long:cancel("enough")
  local _, cancelled = pcall(long.await, long)
  return sum .. " " .. heard:await() .. ", " .. err.cause.name .. ", " .. cancelled.name .. " after " .. flow.signal("cleaned"):await()
end)
