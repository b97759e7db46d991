-- A payment that a signal cancels: explicit cancellation of a scope.
--
-- The handler of a signal is a branch of its own. It cancels the scope around the payment; the activity is asked to stop, and
-- when it has, catch gets a CancelledError with the reason.
--
--   flowlua run scripts/payment.lua --input '{"order": 7, "amount": 12.5}'
--   flowlua run scripts/payment.lua --input '{"order": 7, "amount": 12.5, "change_mind_after": 0.2}'
--
-- From Go the signal is engine.Signal(ctx, id, "cancel_payment", "reason"). Here the workflow can send it to itself.
local flow = require "flow"

local charge = flow.activity("charge", { start_to_close = "1m", heartbeat = "5s" }, function(amount)
  for step = 1, 10 do
    flow.sleep("50ms") -- ends with CancelledError when the workflow asks for cancellation,
    flow.heartbeat(step) -- and so does this
  end
  return { paid = amount }
end)

flow.workflow("payment", function(order)
  local processing = false
  local payment

  flow.on("cancel_payment", function(reason)
    if processing then payment:cancel(reason) end
  end)

  payment = flow.try {
    function()
      processing = true
      flow.status("charging " .. order.amount)
      return charge(order.amount):await()
    end,
    catch = {
      CancelledError = function(err)
        print("payment cancelled: " .. tostring(err.reason))
        return { cancelled = true, reason = err.reason }
      end,
    },
    finally = function() processing = false end,
  }

  if order.change_mind_after then
    flow.daemon(function()
      flow.sleep(order.change_mind_after)
      flow.send(flow.info().id, "cancel_payment", "the customer changed their mind"):await()
    end)
  end
  return payment
end)
