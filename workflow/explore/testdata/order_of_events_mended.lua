-- A loan: an application is checked by two services at once, then a clerk decides, or the applicant withdraws.
--
-- A withdrawal counts from the beginning: whatever the clerk says after it, nothing is paid.
local flow = require "flow"

local checks = flow.activities {
  credit_history = { start_to_close = "1h", retry = { initial = "1m", max_attempts = 3 } },
  identity       = { start_to_close = "1h", retry = { initial = "1m", max_attempts = 3 } },
}

local office = flow.activities {
  open_case  = { start_to_close = "1m", retry = { initial = "1s", max_attempts = 5 } },
  close_case = { start_to_close = "1m", retry = { initial = "1s", max_attempts = 5 } },
  ask_clerk  = { start_to_close = "1m", retry = { initial = "1s", max_attempts = 5 } },
}

local bank = flow.activities {
  pay_out = { start_to_close = "5m", retry = { initial = "10s", max_attempts = 8 } },
}

local letters = flow.activities {
  approved  = { start_to_close = "1m", retry = { initial = "1m", max_attempts = 5 } },
  rejected  = { start_to_close = "1m", retry = { initial = "1m", max_attempts = 5 } },
  withdrawn = { start_to_close = "1m", retry = { initial = "1m", max_attempts = 5 } },
}

local PATIENCE = "14d"

-- How a clerk sees an application.
local function summary(application, history, identity)
  return {
    applicant = application.name,
    amount = application.amount,
    history = history,
    identity = identity,
  }
end

-- Makes both checks at once.
local function check(application)
  local results = flow.all {
    history = checks.credit_history(application.name, application.born),
    identity = checks.identity(application.name, application.document),
  }:await()
  return results.history, results.identity
end

-- Waits for the clerk or the applicant, whoever comes first: "approve", "reject", "withdraw" or "late".
local function decision(withdrawal)
  local clerk = flow.spawn(function()
    local approved = flow.signal("decision"):await()
    return approved and "approve" or "reject"
  end)
  local answer = flow.first { withdrawal, clerk, flow.timer(PATIENCE, "late") }:await()
  if withdrawal:ready() then -- in the same moment, too
    return "withdraw"
  end
  return answer
end

flow.workflow("loan", function(application)
  local stage = "checking"
  local withdrawn = false

  flow.query("stage", function() return stage end)

  local withdrawal = flow.promise("the withdrawal")
  flow.on("withdraw", function()
    if not withdrawal:ready() then withdrawal:set("withdraw") end
  end)

  local case = office.open_case(application):await()

  return flow.try {
    function()
      flow.status { stage = stage }
      local history, identity = check(application)

      stage = "deciding"
      flow.status { stage = stage }
      office.ask_clerk(case, summary(application, history, identity)):await()

      local answer = decision(withdrawal)
      stage = answer
      flow.status { stage = stage }

      if answer == "approve" then
        local payment = bank.pay_out(application.account, application.amount):await()
        letters.approved(application.name, payment):await()
        return "paid"
      elseif answer == "withdraw" then
        withdrawn = true
        letters.withdrawn(application.name):await()
        return "withdrawn"
      end
      letters.rejected(application.name):await()
      return "rejected"
    end,

    catch = function(err)
      flow.log.warn("the application cannot be worked on", { error = tostring(err), withdrawn = withdrawn })
      error(err)
    end,

    finally = function()
      office.close_case(case):await()
    end,
  }
end)
