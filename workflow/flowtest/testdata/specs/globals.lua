-- What a workflow finds: not what the test has made of the globals.
local flow = require "flow"
flow.workflow("globals", function() return { type(assert), type(order_seen), type(describe) } end)
flow.workflow("ticks", function()
  for i = 1, 5 do flow.sleep(1) flow.status(i) end
end)
flow.workflow("continues", function(n)
  flow.sleep(1)
  flow.activity("charge")():await()
  if n == 3 then return n end
  flow.continue_as_new(n + 1)
end)
