-- A trip: a flight, a hotel and a car are booked one after the other. Whoever cancels the trip, or if something cannot be had, gets
-- what was booked cancelled.
--
-- Planted: a booking is remembered when its activity has answered. When the trip is cancelled while a booking is being made, and
-- the booking succeeds all the same, nobody remembers it, and nobody cancels it.
local flow = require "flow"

local patient = { initial = "10s", max_attempts = 10 }

local book = flow.activities {
  book_flight = { start_to_close = "2m", schedule_to_close = "10m" },
  book_hotel  = { start_to_close = "2m", schedule_to_close = "10m" },
  book_car    = { start_to_close = "2m", schedule_to_close = "10m" },
}

local undo = flow.activities {
  cancel_flight = { start_to_close = "2m", retry = patient },
  cancel_hotel  = { start_to_close = "2m", retry = patient },
  cancel_car    = { start_to_close = "2m", retry = patient },
}

local mail = flow.activities {
  confirm   = { start_to_close = "1m", retry = patient },
  apologise = { start_to_close = "1m", retry = patient },
}

-- The order in which things are booked: what is hardest to get comes first.
local STEPS = {
  { name = "flight", book = book.book_flight, undo = undo.cancel_flight },
  { name = "hotel",  book = book.book_hotel,  undo = undo.cancel_hotel },
  { name = "car",    book = book.book_car,    undo = undo.cancel_car },
}

-- What a provider is told about the trip.
local function details(trip, step)
  local out = { traveller = trip.traveller, from = trip.from, to = trip.to }
  if step.name == "hotel" then
    out.nights = trip.nights
  elseif step.name == "car" then
    out.days = trip.nights + 1
  end
  return out
end

local function wanted(trip, step)
  if step.name == "car" then
    return trip.car
  end
  return true
end

local function describe(bookings)
  local names = {}
  for i, booking in ipairs(bookings) do
    names[i] = booking.step.name
  end
  return table.concat(names, ", ")
end

local function book_all(trip, bookings)
  for _, step in ipairs(STEPS) do
    if wanted(trip, step) then
      local confirmation = step.book(details(trip, step)):await()
      bookings[#bookings + 1] = { step = step, confirmation = confirmation }
      flow.status("booked: " .. describe(bookings))
    end
  end
end

-- Cancels the bookings, the newest first. One that cannot be cancelled does not keep the others.
local function undo_all(bookings)
  local left = {}
  for i = #bookings, 1, -1 do
    local booking = bookings[i]
    local ok = pcall(function()
      booking.step.undo(booking.confirmation):await()
    end)
    if not ok then
      left[#left + 1] = booking.step.name
    end
  end
  return left
end

flow.workflow("trip", function(trip)
  local bookings = {}

  flow.query("bookings", function() return describe(bookings) end)

  return flow.try {
    function()
      book_all(trip, bookings)
      return flow.shield(function()
        mail.confirm(trip.traveller, describe(bookings)):await()
        return { booked = describe(bookings) }
      end)
    end,

    catch = function(err)
      local left = undo_all(bookings)
      mail.apologise(trip.traveller, left):await()
      error(err)
    end,
  }
end)
