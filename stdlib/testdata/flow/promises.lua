--- await on a ready promise does not give up the turn
local p = flow.promise()
p:set(1)
flow.spawn(function() print("other") end)
print(p:await()) --> 1
print("still this") --> still this
flow.yield() --> other
--- waiters resume in the order in which they began to wait
local p = flow.promise()
for i = 1, 3 do flow.spawn(function() print(i, p:await()) end) end
flow.yield()
p:set("go")
print("set") --> set
-- --> 1	go
-- --> 2	go
-- --> 3	go
--- flow.await: the first value of each, all of the last
print(flow.await(flow.timer(1, "a", "lost"), flow.timer(2), flow.timer(1, "b", "c"))) --> a	nil	b	c
--- flow.await raises the first failure at once
local ok, err = pcall(flow.await, flow.timer("1h"), flow.spawn(function() flow.sleep(1) error(flow.error("Early")) end))
print(err.name, flow.now() % 60) --> Early	1
--- await with a timeout: in time, too late, and the work goes on
local p = flow.timer(10, "done")
print(pcall(p.await, p, 2)) --> false	TimeoutError: 2s passed
local ok, err = pcall(p.await, p, "1s")
print(err.timeout, err.retryable) --> await	true
print(p:await("1h"), flow.now() % 60) --> done	10
--- a timeout of zero asks once
local p = flow.timer(10, "done")
print(pcall(p.await, p, 0)) --> false	TimeoutError: 0s passed
--- get and ready
local p = flow.timer(1, "v")
print(p:ready(), pcall(p.get, p)) --> false	false	promise:get: not ready: the promise '1s' has not settled; wait for it with p:await()
flow.sleep(1)
print(p:ready(), p:get()) --> true	v
local f = flow.spawn(error, "x")
pcall(f.await, f)
print(f:ready(), pcall(f.get, f)) --> true	false	x
--- outcome never fails
local function show(o) print(o.ok, o.value, o.error and o.error.message) end
show(flow.timer(1, "v"):outcome():await()) --> true	v	nil
show(flow.spawn(error, flow.error("N", "m")):outcome():await()) --> false	nil	m
--- settable: set once, values, failure
local p = flow.promise("door")
print(pcall(p.set, p)) --> true
print(pcall(p.set, p, 1)) --> false	promise:set: already set to ()
print(pcall(p.fail, p, "x")) --> false	promise:fail: already set to ()
print(select("#", p:await())) --> 0
local q = flow.promise()
q:fail("text")
print(pcall(q.await, q)) --> false	text
q = flow.promise()
local err = flow.error("E")
q:fail(err)
print(select(2, pcall(q.await, q)) == err) --> true
--- only settable promises can be set
local p = flow.timer(1)
print(pcall(p.set, p, 1)) --> false	promise:set: only a settable promise can be set: this one gets its result from what produces it
--- a settable's failure that nobody looks at fails no scope
flow.promise():fail("kept")
flow.sleep(1)
print("fine") --> fine
--- chain and unchain
local p = flow.promise()
p:chain(flow.timer(1, "a", "b"))
print(pcall(p.chain, p, flow.timer(1))) --> false	promise:chain: already chained: call unchain() to get rid of the previous chaining
print(p:await()) --> a	b
local q = flow.promise()
q:chain(flow.timer("1h", "late"))
q:unchain()
q:chain(p)
print(q:await()) --> a	b
local r = flow.promise()
r:chain(flow.spawn(error, "fails"))
print(pcall(r.await, r)) --> false	fails
--- all keeps keys, other values and holes
local t = flow.all { "x", flow.timer(1, "y"), k = flow.timer(2, "z"), n = flow.timer(1) }:await()
print(t[1], t[2], t.k, t.n) --> x	y	z	nil
print(next(flow.all({}):await())) --> nil
local ok, err = pcall(function() flow.all { flow.timer("1h"), flow.spawn(error, flow.error("E")) }:await() end)
print(err.name, flow.now() % 60) --> E	2
--- any, race, first
local function late(d, v) return flow.spawn(function() flow.sleep(d) if v == "fail" then error(flow.error("F" .. d)) end return v end) end
print(flow.any { a = late(1, "fail"), b = late(2, "v") }:await()) --> v	b
local ok, err = pcall(function() flow.any { late(1, "fail"), late(2, "fail") }:await() end)
print(err.name, #err.details, err.details[1].name, err.cause.name) --> AllFailed	2	F1	F2
print(pcall(function() return flow.race { late(1, "fail"), late(2, "v") }:await() end)) --> false	F1
print(flow.race { late(2, "v"), late(1, "w") }:await()) --> w	2
local loser = flow.timer("1h")
print(flow.first { loser, late(1, "v") }:await()) --> v	2
print(loser:outcome():await().error.name) --> CancelledError
print(flow.race { "there", late(1, "w") }:await()) --> there	1
--- any of nothing
flow.any({}) --- error: flow.any expects at least one promise
--- one promise awaited in pcall by one branch and used as an argument by another
local p = flow.activity("fail")({ name = "Broken", message = "it" }, 1)
local echo = flow.activity("echo")
local second = echo(p, "x")
flow.spawn(function() print(pcall(p.await, p)) end) --> false	Broken: it
local ok, err = pcall(second.await, second)
print(err.name, err.activity) --> Broken	fail
--- a failure that nobody looks at fails the scope, also of an activity and a timer's owner
flow.try {
  function()
    flow.activity("fail")({ name = "Unseen" }, 1)
    flow.sleep("1h")
  end,
  catch = function(err) print(err.name, flow.now() % 60) end, --> Unseen	1
}
--- observed once, it disturbs nobody else
local p = flow.spawn(function() flow.sleep(1) error("seen", 0) end)
flow.spawn(function() print(pcall(p.await, p)) end) --> false	seen
flow.sleep(2)
print(pcall(p.await, p)) --> false	seen
--- promises are values: keys, equality, tostring
local p = flow.timer(1, "v")
local t = { [p] = 1 }
print(t[p], p == p, tostring(flow.promise("door"))) --> 1	true	promise (door, waiting)
p:await()
print(tostring(p)) --> promise (1s, ready)
--- map: order, index, concurrency, promises
local running, most = 0, 0
local out = flow.map({ 3, 1, 2 }, function(n, i)
  running = running + 1
  most = math.max(most, running)
  flow.sleep(n)
  running = running - 1
  return n * 10 + i
end, { concurrency = 2 }):await()
print(out[1], out[2], out[3], most, flow.now() % 60) --> 31	12	23	2	3
print(#flow.map({ 1, 2, 3 }, flow.activity("slow")):await(), #flow.map({}, print):await()) --> 3	0
--- map: one that fails cancels the others
local ok, err = pcall(function()
  flow.map({ 1, 2, 3 }, function(n)
    if n == 2 then error(flow.error("Two")) end
    local ok, err = pcall(flow.sleep, "1h")
    print(n, err.name) --> 1	CancelledError
  end):await()
end)
print(err.name) --> Two
--- map can be cancelled
local p = flow.map({ 1, 2, 3 }, function(n) flow.sleep("1h") end, { concurrency = 1 })
flow.sleep(1)
p:cancel("enough")
print(pcall(p.await, p)) --> false	CancelledError: enough
--- already set, whatever it was: no address is told
local p = flow.promise()
p:set({}, print, "text", 1.5, nil, 6)
print(pcall(p.set, p, 1)) --> false	promise:set: already set to (table, function, "text", number 1.5, nil, …)
local q = flow.promise()
q:cancel({})
print(pcall(q.set, q, 1)) --> false	promise:set: already failed with: CancelledError
--- a field of a promise cannot be set
flow.promise().value = 5 --- error: promise .waiting. cannot be changed: it has no field 'value' that can be set
--- waiting for a stub that was not called
flow.activity("echo"):await() --- error: stub has no 'await'; calling the stub gives a promise, which has: did you forget to call it.
--- of several that fail, the later ones were observed too
local function later(n) return flow.spawn(function() flow.sleep(n) error("failed after " .. n, 0) end) end
print(pcall(function() flow.all { later(1), later(2) }:await() end)) --> false	failed after 1
print(pcall(function() flow.async(print)(later(1), later(2)):await() end)) --> false	failed after 1
print(pcall(function() flow.activity("echo")({ later(1), { later(2) } }):await() end)) --> false	failed after 1
print(pcall(function() flow.try { print, after = { later(1), later(2) } }:await() end)) --> false	failed after 1
print(pcall(flow.await, later(1), later(2))) --> false	failed after 1
flow.sleep(10)
print("undisturbed") --> undisturbed
--- any, race and first of a value observe the promises beside it
for _, pick in ipairs { flow.any, flow.race, flow.first } do
  print(pick { flow.spawn(error, "x"), "there already" }:await()) --> there already	2
end --> there already	2
flow.sleep(1) --> there already	2
--- a cancelled any, race or outcome hears nothing of its members any more
for _, pick in ipairs { flow.any, flow.race, flow.first, function(t) return t[1]:outcome() end } do
  local member = flow.spawn(flow.sleep, "1h")
  local picked = pick { member }
  flow.sleep(1)
  picked:cancel()
  flow.sleep(1)
  print(member:ready()) --> false
  member:cancel() --> false
  flow.sleep(1) --> false
end --> false
--- and the failures of its members are not lost
for _, pick in ipairs { flow.all, flow.any, flow.race, flow.first, function(t) return t[1]:outcome() end } do
  flow.try {
    function()
      local picked = pick { flow.spawn(function() flow.sleep(5) error("real") end) }
      flow.sleep(1)
      picked:cancel()
    end,
    catch = function(err) print(err) end, --> Error: real
  }:await() --> Error: real
end --> Error: real
-- --> Error: real
-- --> Error: real
