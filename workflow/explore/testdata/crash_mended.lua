-- Wages: for everybody in a list the hours are added up, the wage is computed and transferred, and a slip is sent. Transfers are
-- made two at a time.
local flow = require "flow"

local patient = { initial = "5s", max_interval = "5m", max_attempts = 20 }

local books = flow.activities {
  employees = { start_to_close = "1m", retry = patient },
  hours     = { start_to_close = "1m", retry = patient },
  record    = { start_to_close = "1m", retry = patient },
}

local bank = flow.activities {
  transfer = { start_to_close = "1m" },
  balance  = { start_to_close = "1m", retry = patient },
}

local send_slip = flow.activity("send_slip", { start_to_close = "1m", retry = patient })

local AT_ONCE = 2

-- The wage of a month. Hours above 160 count half as much again.
local function wage(employee, hours)
  local normal = math.min(hours, 160)
  local extra = math.max(hours - 160, 0)
  return employee.hourly * normal + employee.hourly * 1.5 * extra
end

-- Whether there is enough for all.
local function check_balance(account, payments)
  local sum = 0
  for _, payment in ipairs(payments) do
    sum = sum + payment.amount
  end
  local left = bank.balance(account):await()
  flow.log.info("balance", { left = left, needed = sum })
  return left, sum
end

-- What is to be paid to whom.
local function payments_of(month)
  local employees = books.employees(month.company):await()
  return flow.map(employees, function(employee)
    local hours = books.hours(employee.id, month.name):await()
    return {
      employee = employee.id,
      account = employee.account,
      amount = wage(employee, hours.total),
    }
  end, { concurrency = AT_ONCE }):await()
end

-- Pays one wage; what becomes of it stands in the books.
local function pay(month, payment)
  local ok, err = pcall(function()
    local reference = month.name .. "/" .. payment.employee -- the bank makes a transfer of one reference once
    return bank.transfer(month.account, payment.account, payment.amount, reference):await()
  end)
  if not ok then
    books.record(month.name, payment.employee, "failed"):await()
    return { employee = payment.employee, failed = tostring(err) }
  end
  books.record(month.name, payment.employee, "paid"):await()
  send_slip(payment.employee, month.name, payment.amount):await()
  return { employee = payment.employee }
end

-- Who was not paid.
local function failures(results)
  local list = {}
  for _, result in ipairs(results) do
    if result.failed then
      list[#list + 1] = result.employee
    end
  end
  return list
end

flow.workflow("wages", function(month)
  local done = 0

  flow.query("progress", function() return done end)

  local payments = payments_of(month)
  local left, needed = check_balance(month.account, payments)
  flow.status { step = "paying", left = left, needed = needed }

  local results = flow.map(payments, function(payment)
    local result = pay(month, payment)
    done = done + 1
    flow.status { step = "paying", done = done, of = #payments }
    return result
  end, { concurrency = AT_ONCE }):await()

  local missing = failures(results)
  flow.status { step = "done", missing = missing }
  return { paid = #results - #missing, missing = missing }
end)
