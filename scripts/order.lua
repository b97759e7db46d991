-- An order from its arrival until it is delivered: reservations in parallel, an approval that people give, a payment that is given
-- back when something fails later, a shipment as a child workflow, and a customer who may change their mind until it leaves.
--
-- The activities are the host's; order_spec.lua says what they do, and shows how a workflow of this size is tested.
--
--   flowlua test scripts/order_spec.lua
local flow = require "flow"

local patient = { initial = "1s", max_interval = "1m", max_attempts = 5, dont_retry_on = { "OutOfStock", "CardDeclined" } }

local stock = flow.activities {
  reserve = { start_to_close = "10s", retry = patient },
  release = { start_to_close = "10s", retry = patient },
}

local money = flow.activities {
  charge = { start_to_close = "30s", retry = patient },
  refund = { start_to_close = "30s", retry = { initial = "10s", backoff = 2, max_interval = "1h" } }, -- until it works
}

local mail = flow.activity("mail", { start_to_close = "10s", retry = patient })
local risk = flow.activity("risk", { start_to_close = "5s" })
local pack = flow.activity("pack", { start_to_close = "4h", heartbeat = "30m" })
local track = flow.activity("track", { start_to_close = "10s" })

-- Limits of the shop.
local approval_from = 1000 -- orders of this much are looked at by people
local approval_within = "48h"
local reminder_after = "24h"
local lost_after = 40 -- checks of a parcel

local function total(order)
  local sum = 0
  for _, item in ipairs(order.items) do
    sum = sum + item.price * (item.count or 1)
  end
  return sum
end

local function check(order)
  if type(order) ~= "table" or type(order.items) ~= "table" or #order.items == 0 then
    error(flow.error("BadOrder", "an order needs items", { retryable = false }))
  end
  for i, item in ipairs(order.items) do
    if type(item.price) ~= "number" or item.price < 0 then
      error(flow.error("BadOrder", ("item %d has no price"):format(i), { retryable = false }))
    end
  end
end

-- Reserves all items, or none: what was reserved when one fails is released again.
local function reserve_all(order, reserved)
  local pending = {}
  for i, item in ipairs(order.items) do
    pending[i] = flow.spawn(function()
      local ticket = stock.reserve(item.sku, item.count or 1):await()
      reserved[#reserved + 1] = ticket
      return ticket
    end)
  end
  flow.all(pending):await()
end

local function release_all(reserved)
  local pending = {}
  for i, ticket in ipairs(reserved) do
    pending[i] = stock.release(ticket)
  end
  flow.all(pending):await()
end

-- Waits for people, and reminds them once.
local function approval(order)
  flow.status("waits for approval")
  flow.daemon(function()
    flow.sleep(reminder_after)
    mail("shop", "order " .. order.id .. " still waits for approval"):await()
  end)
  local decision = flow.signal("decide"):await(approval_within)
  if not decision.approved then error(flow.error("Rejected", decision.reason or "rejected")) end
  return decision.by
end

-- Large orders always, and small ones when they look odd, or when nobody can say.
local function needs_approval(order, amount)
  if amount >= approval_from then return true end
  local score = 0
  flow
    .try {
      function() score = risk(order.customer, amount):await() end,
      catch = function() score = 1 end,
    }
    :await()
  return score > 0.8
end

-- A parcel on its way: a workflow of its own, as it may take weeks.
local shipment = flow.workflow("shipment", function(parcel)
  local where = "packed"
  flow.query("where", function() return where end)
  return flow.poll(function()
    where = track(parcel):await()
    flow.status(where)
    if where == "lost" then error(flow.error("ParcelLost", "parcel " .. parcel .. " is lost", { retryable = false })) end
    return where == "delivered" and where
  end, { initial = "1h", backoff = 1.5, max_interval = "12h", max_retries = lost_after })
end)

flow.workflow("order", function(order)
  check(order)
  local amount = total(order)
  local progress = { step = "received", amount = amount }
  flow.query("progress", function() return progress end)

  local function step(name)
    progress.step = name
    flow.status(name)
  end

  local reserved, receipt, approver = {}, nil, nil
  local work

  -- The customer may cancel until the parcel is packed.
  local leaving = false
  flow.on("cancel_order", function(reason)
    if leaving then
      mail(order.customer, "order " .. order.id .. " is on its way and cannot be cancelled"):await()
    else
      work:cancel(reason or "the customer changed their mind")
    end
  end)

  work = flow.try {
    name = "order",
    function()
      step("reserve")
      reserve_all(order, reserved)

      if needs_approval(order, amount) then approver = approval(order) end

      step("charge")
      receipt = money.charge(order.customer, amount, order.id):await()

      step("pack")
      local parcel = pack(order.id, reserved):await()
      leaving = true

      step("ship")
      shipment:with { id = "shipment-" .. order.id }(parcel):await()
      step("delivered")
      mail(order.customer, "order " .. order.id .. " is delivered"):await()
      return { receipt = receipt, amount = amount, approved_by = approver }
    end,

    catch = function(err)
      step("undo")
      if receipt then money.refund(receipt, amount):await() end
      if not leaving then release_all(reserved) end
      mail(order.customer, ("order %s: %s"):format(order.id, err.message)):await()
      if err:is("CancelledError") then
        step("cancelled")
        return { cancelled = true, reason = err.reason }
      end
      step("failed")
      error(flow.error("OrderFailed", err.message, { cause = err, kinds = { err.name } }))
    end,
  }
  return work
end)
