-- The workflow of the examples in the declarations of flow.test.
local flow = require "flow"

local charge = flow.activity("charge", { retry = { initial = "1s", max_attempts = 3 } }, function(order) return "receipt " .. order.id end)
local deliver = flow.activity("deliver")
local refund = flow.activity("refund")

local order = flow.workflow("order", function(order)
  local approved = false
  flow.query("approved", function() return approved end)
  if order.wait then
    flow.status("waiting for approval")
    flow.signal("approve"):await()
    approved = true
  end
  return flow.try {
    function() return deliver(charge(order)) end,
    catch = function(err) refund(order):await() error(err) end,
  }
end)

flow.workflow("shop", function(ids)
  return flow.map(ids, function(id) return order({ id = id }) end)
end)

return order
