-- A test environment: an address, a disk and a machine are rented, a database is loaded, the tests run, everything is given back.
--
-- Planted: when the quota of machines is used up, the handler of that error gives back the address at once, and then closes the
-- ledger, in which the disk still stands.
local flow = require "flow"

local patient = { initial = "2s", max_attempts = 6 }

local cloud = flow.activities {
  rent_address    = { start_to_close = "30s", retry = patient },
  release_address = { start_to_close = "30s", retry = patient },
  rent_disk       = { start_to_close = "1m", retry = patient },
  release_disk    = { start_to_close = "1m", retry = patient },
  start_machine   = { start_to_close = "5m" },
  stop_machine    = { start_to_close = "5m", retry = patient },
}

local work = flow.activities {
  load_database = { start_to_close = "30m", retry = { initial = "10s", max_attempts = 2 } },
  run_tests     = { start_to_close = "2h" },
  save_log      = { start_to_close = "1m", retry = patient },
}

local tell = flow.activity("tell_team", { start_to_close = "10s", retry = patient })

-- What was rented and was not given back. The newest is given back first.
local function ledger()
  local entries = {}
  local self = {}

  function self.add(name, give_back)
    entries[#entries + 1] = { name = name, give_back = give_back }
  end

  function self.names()
    local names = {}
    for i, entry in ipairs(entries) do names[i] = entry.name end
    return names
  end

  function self.give_back(only)
    for i = #entries, 1, -1 do
      if only == nil or entries[i].name == only then
        table.remove(entries, i).give_back()
      end
    end
  end

  function self.close()
    entries = {}
  end

  return self
end

-- Whoever cancels while something is being rented gets it all the same, and it has to be given back: so it is waited for.
local function take(rented, name, rent, release)
  return flow.shield(function()
    local thing = rent():await()
    rented.add(name, function() release(thing):await() end)
    flow.status { rented = rented.names() }
    return thing
  end)
end

local function rent(rented, request)
  local address = take(rented, "address", function() return cloud.rent_address(request.region) end, cloud.release_address)
  local disk = take(rented, "disk", function() return cloud.rent_disk(request.region, request.gigabytes) end, cloud.release_disk)
  return take(rented, "machine", function() return cloud.start_machine(request.image, address, disk) end, cloud.stop_machine)
end

local function test(machine, request)
  work.load_database(machine, request.database):await()
  local result = work.run_tests(machine, request.suite):await()
  work.save_log(request.id, result):await()
  return result
end

flow.workflow("environment", function(request)
  local rented = ledger()

  flow.query("rented", rented.names)

  return flow.try {
    function()
      local machine = rent(rented, request)
      return test(machine, request)
    end,

    catch = {
      QuotaExceeded = function(err)
        -- No machine was started. Somebody else may try at once.
        rented.give_back("address")
        rented.close()
        tell(request.team, "there is no machine left: " .. err.message):await()
        return { skipped = true }
      end,

      TimeoutError = function(err)
        tell(request.team, "it took too long: " .. err.message):await()
        error(err)
      end,
    },

    finally = function()
      rented.give_back()
      flow.log.info("everything is given back", { request = request.id })
    end,
  }
end)
