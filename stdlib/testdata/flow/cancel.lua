--- a branch that waits gets the error there, and is cancelled for good
local p = flow.spawn(function()
  local ok, err = pcall(flow.sleep, "1h")
  print(err, err.reason) --> CancelledError: no longer needed	no longer needed
  print(pcall(flow.sleep, 1)) --> false	CancelledError: no longer needed
  print(pcall(flow.spawn, print)) --> false	CancelledError: no longer needed
  print(pcall(flow.activity("echo"), 1)) --> false	CancelledError: no longer needed
  print(pcall(flow.try, { print })) --> false	CancelledError: no longer needed
  local q = flow.promise()
  q:set(1)
  print(pcall(q.await, q)) --> false	CancelledError: no longer needed
  print(select(2, pcall(flow.yield)) == err) --> true
end)
flow.sleep(1)
p:cancel("no longer needed")
--- a branch that has not started is dropped
local p = flow.spawn(function() print("never") end)
p:cancel()
local ok, err = pcall(p.await, p)
print(err, err.reason, err.cause) --> CancelledError	nil	nil
--- cancelled by name it fails no scope
flow.try {
  function()
    local p = flow.spawn(flow.sleep, "1h")
    local t = flow.timer("1h")
    local a = flow.activity("slow")(3600)
    flow.sleep(1)
    p:cancel() t:cancel() a:cancel()
  end,
  catch = function() print("never") end,
  finally = function() print("finally", flow.now() % 60) end, --> finally	1
}
--- a reason can be any value, an error value too
local why = { code = 7 }
local p = flow.spawn(function()
  local ok, err = pcall(flow.sleep, "1h")
  print(err.reason == why, err.message) --> true	
end)
flow.sleep(1)
p:cancel(why)
local stop = flow.error("Stop", "now")
local q = flow.spawn(function()
  local ok, err = pcall(flow.sleep, "1h")
  print(err.reason == stop, err.cause == stop, err) --> true	true	CancelledError: Stop: now
end)
flow.sleep(1)
q:cancel(stop)
--- a scope that waits for its promises disappears
local s = flow.try { print, catch = print, finally = print, after = { flow.timer(5) } }
s:cancel()
print(pcall(s.await, s)) --> false	CancelledError
--- a scope in try: catch gets the reason, then finally
local s = flow.try {
  function() flow.sleep("1h") end,
  catch = { CancelledError = function(err) return "stopped: " .. err.reason end },
  finally = function() print("finally") end, --> finally
}
flow.sleep(1)
s:cancel("closing")
s:cancel("again")
print(s:await()) --> stopped: closing
--- a scope in catch or finally is not disturbed
local s = flow.try {
  function() error("x") end,
  catch = function() flow.sleep(2) print("catch done") end, --> catch done
  finally = function() flow.sleep(2) print("finally done") end, --> finally done
}
flow.sleep(1)
s:cancel()
flow.sleep(2)
s:cancel()
s:await()
print(flow.now() % 60) --> 4
s:cancel()
--- an uncaught cancellation fails the scope around, unless it is observed
flow.try {
  function()
    local s = flow.try { function() flow.sleep("1h") end }
    flow.sleep(1)
    s:cancel("r")
    flow.sleep("1h")
  end,
  catch = function(err) print("outer", err) end, --> outer	CancelledError: r
}
--- rethrown, it is the same object
flow.try {
  function()
    local first
    local s = flow.try {
      function() flow.sleep("1h") end,
      catch = function(err) first = err error(err) end,
    }
    flow.sleep(1)
    s:cancel("r")
    local ok, err = pcall(s.await, s)
    print(err == first) --> true
  end,
}
--- an activity that ignores its cancellation: the scope waits for it
local s = flow.try {
  function() flow.activity("stubborn")(5) end,
  catch = function(err) print(err.name, flow.now() % 60) end, --> CancelledError	5
}
flow.sleep(1)
s:cancel()
--- timeout: in time, too late, and what is left is cancelled
print(flow.timeout("5s", function(a) flow.sleep(1) return a, 2 end, 1):await()) --> 1	2
local p = flow.timeout("5s", function()
  flow.spawn(function()
    local ok, err = pcall(flow.sleep, "1h")
    print("branch", err.name, err.cause.name) --> branch	CancelledError	TimeoutError
  end)
end)
local ok, err = pcall(p.await, p)
print(err, err.timeout, flow.now() % 60) --> TimeoutError: 5s passed	timeout	6
--- timeout: other failures and cancellations pass
print(pcall(function() flow.timeout(5, error, "own"):await() end)) --> false	own
local p = flow.timeout(5, flow.sleep, 10)
flow.sleep(1)
p:cancel("by name")
print(pcall(p.await, p)) --> false	CancelledError: by name
--- timeouts within each other
local ok, err = pcall(function()
  flow.timeout(2, function()
    flow.timeout(9, flow.sleep, "1h"):await()
  end):await()
end)
print(err, flow.now() % 60) --> TimeoutError: 2s passed	2
--- a shield ends its work whatever is cancelled
local p = flow.spawn(function()
  local ok, err = pcall(flow.sleep, "1h")
  print(flow.shield(function() flow.sleep(2) return "put away" end), flow.now() % 60) --> put away	3
  error(err)
end)
flow.sleep(1)
p:cancel()
local ok, err = pcall(p.await, p)
print(err.name) --> CancelledError
--- the whole run
-- cancel: 5 late --- error: CancelledError: late
flow.try {
  function() flow.sleep("1h") end,
  finally = function() print("finally", flow.now() % 60) end, --> finally	5
}
--- a script's own cancelled error is a failure like any other
flow.try {
  function()
    flow.spawn(function() error(flow.error("CancelledError", "mine")) end)
    flow.sleep("1h")
  end,
  catch = function(err) print(err) end, --> CancelledError: mine
}
