-- One run that uses every kind of event there is. Its recorded histories are replayed by every later release.
local flow = require "flow"
local steps = require "steps"

local acts = flow.activities {
  fetch = { start_to_close = "30s", retry = { initial = 1, max_attempts = 3 } },
  slow = { heartbeat = "10s" },
  broken = {},
}

local child = flow.workflow("child", function(x)
  flow.sleep(1)
  if x < 0 then error(flow.error("Negative", "no", { details = { x } })) end
  return x * 2
end)

flow.workflow("everything", function(input)
  flow.status("started")
  local id = flow.uuid()
  local made = flow.side_effect(function() return { n = 1 } end)
  local version = flow.version("greeting", 1, 2)
  local go = flow.signal("go"):await()
  local page = acts.fetch(input.page)
  local sum = flow.all(flow.map({ 1, 2, 3 }, function(n) return acts.fetch(n):await() end):await())
  flow.status({ page = page:await(), n = steps.count(sum:await()) })
  local ok, err = pcall(function() acts.broken():await() end)
  local late, timeout = pcall(function() flow.promise("never"):await(2) end)
  local s = flow.try {
    function() acts.slow() flow.sleep(3600) end,
    catch = { CancelledError = function(e) return e.reason end },
    finally = function() acts.fetch("clean-up"):await() end,
  }
  flow.sleep(5)
  s:cancel("too slow")
  local four = child(2)
  local bad, childErr = pcall(function() child(-1):await() end)
  local sent, sendErr = pcall(function() flow.send("nobody", "hello", 1):await() end)
  local kid = flow.try { function() child:with { id = "kid" } (1) end, catch = function(e) return e.name end }
  flow.yield() flow.yield() flow.yield()
  local n = math.random(1, 1000000)
  if go == "again" then flow.continue_as_new({ page = "second" }) end
  if go == "fail" then error(flow.error("Wanted", "as asked")) end
  if go == "wait" then flow.sleep("1h") end
  return #id, made, version, ok, err.name, late, timeout.name, s:await(), four:await(), bad, childErr.cause.details[1], sent, sendErr.name, kid:await(), n
end)
