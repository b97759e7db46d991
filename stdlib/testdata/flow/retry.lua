--- run: waits grow, the attempts' last failure is raised
local start = flow.now()
local function at() return flow.now() - start end
local policy = flow.retry { initial = 1, max_attempts = 4 }
local ok, err = pcall(function()
  policy:run(function() print(at()) error(flow.error("N" .. at())) end):await()
end)
print(err.name) --> 0
-- --> 1
-- --> 3
-- --> 7
-- --> N7
--- max_interval caps, backoff 1 keeps
local start = flow.now()
local n = 0
print(flow.retry { initial = 2, max_interval = 3 }:run(function()
  n = n + 1
  if n < 4 then error("again") end
  return flow.now() - start, n
end):await()) --> 8	4
--- expiration falls into the last delay
local start = flow.now()
local times = {}
local ok, err = pcall(function()
  flow.retry { initial = 10, backoff = 1, expiration = 30 }:run(function()
    times[#times + 1] = flow.now() - start
    error("last " .. #times, 0)
  end):await()
end)
print(#times, times[3], err) --> 3	20	last 3
--- expiration counts the attempts' own time
local start = flow.now()
local ok, err = pcall(function()
  flow.retry { initial = 1, backoff = 1, expiration = 10 }:run(function() flow.sleep(4) error("x", 0) end):await()
end)
print(flow.now() - start) --> 9
--- retry_on, dont_retry_on: names and kinds, exclusion beats inclusion
local function attempts(options, err)
  options.initial, options.max_attempts = 0, 3
  local n = 0
  pcall(function() flow.retry(options):run(function() n = n + 1 error(err) end):await() end)
  return n
end
local e503, e404 = flow.error("Busy", "", { status = 503 }), flow.error("Missing", "", { status = 404 })
print(attempts({}, e503), attempts({}, e404), attempts({}, "text"), attempts({}, flow.error("Plain"))) --> 3	1	3	3
print(attempts({ retry_on = { "Missing" } }, e404), attempts({ retry_on = { "ClientError" } }, e404)) --> 3	3
print(attempts({ retry_on = { "Other" } }, e503), attempts({ retry_on = {} }, e503)) --> 1	1
print(attempts({ dont_retry_on = { "ServerError" } }, e503)) --> 1
print(attempts({ retry_on = { "Busy" }, dont_retry_on = { "ServiceError" } }, e503)) --> 1
print(attempts({ retry_on = function(e) return e.status == 404 end }, e404)) --> 3
print(attempts({ dont_retry_on = function(e) return e.name == "Busy" end }, e503)) --> 1
print(attempts({}, flow.error("Never", "", { retryable = false }))) --> 1
print(attempts({ retry_on = { "Never" } }, flow.error("Never", "", { retryable = false }))) --> 3
print(attempts({}, flow.error("CancelledError"))) --> 1
--- a function of the policy that waits or fails says no
local n = 0
local ok, err = pcall(function()
  flow.retry { initial = 0, retry_on = function() flow.sleep(1) return true end }:run(function() n = n + 1 error("x", 0) end):await()
end)
print(n, err) --> 1	x
--- an attempt ends when everything that it started has ended
local start = flow.now()
local n = 0
flow.retry { initial = 1 }:run(function()
  n = n + 1
  if n == 1 then
    flow.spawn(function() pcall(flow.sleep, "1h") flow.shield(flow.sleep, 5) end)
    flow.sleep(1)
    error("x")
  end
end):await()
print(flow.now() - start, n) --> 7	2
--- cancelled while it waits, and while it runs
local p = flow.retry { initial = "1h" }:run(error, "x")
flow.sleep(1)
p:cancel("enough")
print(pcall(p.await, p)) --> false	CancelledError: enough
print(flow.now() % 60) --> 1
local p = flow.retry():run(function() flow.sleep("1h") end)
flow.sleep(1)
p:cancel("enough")
print(pcall(p.await, p)) --> false	CancelledError: enough
--- set takes effect at the next failure
local policy = flow.retry { initial = "1h" }
local start = flow.now()
local n = 0
policy:run(function()
  n = n + 1
  policy:set { initial = 2, backoff = 1 }
  if n < 3 then error("x") end
end):await()
print(n, flow.now() - start) --> 3	4
--- decorate a stub: each attempt is an activity of its own
local start = flow.now()
local broken = flow.retry { initial = 1 }:decorate(flow.activity("broken"))
print(broken(2, "x", flow.timer(5, "y")):await()) --> x	y
print(flow.now() - start) --> 8
--- decorate a table of stubs
local acts = flow.retry { initial = 1 }:decorate(flow.activities { broken = {}, echo = {} })
print(acts.broken(1, "x"):await(), acts.echo("e"):await()) --> x	e
--- decorate a function: promises among the arguments are awaited first
local n = 0
local f = flow.retry { initial = 1 }:decorate(function(a, b)
  n = n + 1
  if n < 2 then error("x") end
  return a .. b
end)
print(f("a", flow.timer(3, "b")):await(), flow.now() % 60) --> ab	4
--- declared and decorated
local stub = flow.activity("echo", { retry = {} })
print(flow.retry():decorate(stub:with { retry = false })("x"):await()) --> x
flow.retry():decorate(stub) --- error: activity 'echo' declares a retry already, and the attempts would multiply; decorate echo:with { retry = false }
--- decorated and declared
flow.retry():decorate(flow.activity("echo")):with { retry = {} } --- error: option 'retry' cannot be combined with policy:decorate
--- declared with a function
flow.activity("a", { retry = { retry_on = function() end } }) --- error: option 'retry' expects lists of names
--- a declared policy
flow.activity("a", { retry = flow.retry { max_attempts = 3 } })
--- unknown options
flow.retry { max_attempt = 1 } --- error: flow.retry: unknown option 'max_attempt' .did you mean 'max_attempts'
--- unknown options of a declared retry
flow.activity("a", { retry = { innitial = 1 } }) --- error: flow.activity 'a': retry: unknown option 'innitial' .did you mean 'initial'
--- the first wait is longer than the longest
flow.retry { initial = 5, max_interval = 3 } --- error: max_interval
--- never a second attempt
flow.retry { initial = 5, expiration = 3 } --- error: expiration
--- jitter out of range
flow.retry { jitter = 1 } --- error: jitter
--- jitter comes from the branch's stream and stays below the cap
local start = flow.now()
local n, last = 0, start
flow.retry { initial = 10, backoff = 1, jitter = 0.5, max_interval = 11 }:run(function()
  local waited = flow.now() - last
  last, n = flow.now(), n + 1
  assert(n == 1 or waited >= 5 and waited <= 11, waited)
  if n < 20 then error("x") end
end):await()
print(n) --> 20
--- poll: the waits of the seed
local start = flow.now()
print(flow.poll(function()
  local ms = math.floor((flow.now() - start) * 1000 + 0.5)
  print(ms)
  return ms >= 1000 and "SUCCESS", ms
end, { initial = "100ms", max_interval = "1s", max_retries = 5 })) --> 100
-- --> 400
-- --> 1300
-- --> SUCCESS	1300
--- poll: retryable errors and activities that fail mean again, others are raised
local n = 0
print(pcall(flow.poll, function()
  n = n + 1
  if n == 1 then flow.activity("fail")({ name = "Slow", status = 503 }) return end
  if n == 2 then return flow.activity("echo")(false) end
  if n == 3 then error(flow.error("T", "", { retryable = true })) end
  error(flow.error("Fatal"))
end)) --> false	Fatal
print(n) --> 4
--- poll: at most max_retries + 1 checks
local n = 0
local ok, err = pcall(flow.poll, function() n = n + 1 end, { initial = 0, max_retries = 3 })
print(n, err, err.timeout) --> 4	TimeoutError: no result after 4 checks	poll
--- poll gives up when it is cancelled
local p = flow.spawn(flow.poll, function() return false end)
flow.sleep(5)
p:cancel("enough")
print(pcall(p.await, p)) --> false	CancelledError: enough
--- retry until success: the seed's first strategy
local calls = 0
local function until_success()
  local again = flow.promise()
  flow.try {
    function() calls = calls + 1 if calls < 3 then error("x") end again:set(false) end,
    catch = function() again:set(true) end,
  }
  if again:await() then until_success() end
end
until_success()
print(calls) --> 3
