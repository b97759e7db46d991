-- An order in a shop: stock is reserved, the card is charged, the parcel is packed and shipped, a receipt is sent.
--
-- Planted: the key by which the payment provider recognises a repeated payment is made anew in each round of the script's own
-- retry. When the provider has taken the money and its answer is lost, the next round pays again under another key.
local flow = require "flow"

local stock = flow.activities {
  reserve = { start_to_close = "10s", retry = { initial = "1s", max_attempts = 3 } },
  release = { start_to_close = "10s", retry = { initial = "1s", max_attempts = 5 } },
}

local bank = flow.activities {
  charge = { start_to_close = "30s" },
  refund = { start_to_close = "30s", retry = { initial = "2s", max_attempts = 10 } },
}

local parcels = flow.activities {
  pack  = { start_to_close = "1h" },
  ship  = { start_to_close = "1h", retry = { initial = "10s", max_attempts = 3 } },
}

local mail = flow.activity("send_receipt", { start_to_close = "10s", retry = { initial = "5s", max_attempts = 5 } })

local MOST_ROUNDS = 3

-- What is to be paid, shipping included.
local function total(order)
  local sum = 0
  for _, item in ipairs(order.items) do
    sum = sum + item.price * item.quantity
  end
  if sum < 50 then
    sum = sum + 5 -- shipping
  end
  return sum
end

-- An error of which it is known that nothing was paid.
local function declined(err)
  return err:is("CardDeclined") or err:is("CardExpired")
end

-- Pays, in several rounds: the provider is often busy.
local function pay(order, amount)
  local last
  for round = 1, MOST_ROUNDS do
    local key = order.id .. "/" .. round
    local ok, result = pcall(function()
      return bank.charge(order.card, amount, key):await()
    end)
    if ok then
      return result
    end
    last = result
    if type(last) == "table" or type(last) == "userdata" then
      if declined(last) or last:is("CancelledError") then
        error(last)
      end
    end
    flow.status { step = "paying", round = round }
    flow.sleep(round * 10)
  end
  error(last)
end

-- Reserves every item, one beside the other.
local function reserve(order)
  return flow.map(order.items, function(item)
    return stock.reserve(item.sku, item.quantity):await()
  end):await()
end

-- Gives back what was reserved, as far as it was.
local function release(reservations)
  for _, r in ipairs(reservations) do
    stock.release(r):await()
  end
end

flow.workflow("order", function(order)
  local reservations = {}
  local payment
  local shipped = false

  flow.query("progress", function()
    return { reserved = #reservations, paid = payment ~= nil, shipped = shipped }
  end)

  return flow.try {
    function()
      flow.status { step = "reserving" }
      reservations = reserve(order)

      flow.status { step = "paying", round = 1 }
      payment = pay(order, total(order))

      flow.status { step = "packing" }
      local parcel = parcels.pack(order):await()
      local tracking = parcels.ship(parcel, order.address):await()
      shipped = true

      flow.status { step = "shipped" }
      mail(order.customer, payment, tracking):await()
      return { tracking = tracking }
    end,

    catch = function(err)
      flow.status { step = "undoing" }
      if payment and not shipped then
        bank.refund(payment):await()
      end
      if not shipped then
        release(reservations)
      end
      error(err)
    end,

    finally = function()
      flow.log.info("the order is closed", { order = order.id })
    end,
  }
end)
