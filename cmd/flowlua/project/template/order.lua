-- A workflow: charge an order, send it off, and give the money back if that cannot be done.
--
--   flowlua run order.lua --input '{ "id": 7, "amount": 120 }'
--   flowlua test
local flow = require "flow"

-- Activities do the work itself, outside of the workflow, and may fail. This one is tried up to five times.
local charge = flow.activity("charge", { start_to_close = "10s", retry = { initial = "1s", max_attempts = 5 } }, function(order)
  if order.amount <= 0 then error(flow.error("NothingToPay", "the order costs nothing", { retryable = false })) end
  return { order = order.id, amount = order.amount }
end)

local send = flow.activity("send", function(receipt)
  if receipt.amount > 1000 then error(flow.error("TooHeavy", "no parcel is that large")) end
  return "parcel " .. receipt.order
end)

local refund = flow.activity("refund", function(receipt) print("refunded " .. receipt.amount) end)

return flow.workflow("order", function(order)
  local receipt = charge(order):await()
  return flow.try {
    function()
      flow.status("sending")
      return send(receipt):await()
    end,
    catch = function(err)
      refund(receipt):await()
      error(err)
    end,
  }
end)
