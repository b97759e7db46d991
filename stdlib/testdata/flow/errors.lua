--- fields
local cause = flow.error("Bank")
local e = flow.error("Declined", "no", { status = 402, details = { 1 }, cause = cause, retryable = true, kinds = { "Payment" }, value = 7, activity = "charge" })
print(e.name, e.message, e.status, e.details[1], e.cause == cause, e.retryable, e.value, e.activity) --> Declined	no	402	1	true	true	7	charge
print(table.concat(e.kinds, " ")) --> Payment ClientError ServiceError
print(flow.error("X").message, tostring(flow.error("X")), tostring(flow.error("X", 5))) --> 	X	X: 5
--- a cause that is no error value
print(flow.error("X", "m", { cause = "a text" }).cause.message) --> a text
--- kinds of service errors
local function kinds(name, status) return table.concat(flow.error(name, "", { status = status }).kinds, " "), flow.error(name, "", { status = status }).retryable end
print(kinds("AccessDeniedException", 400)) --> ClientError ServiceError	false
print(kinds("InternalServerError", 500)) --> ServerError ServiceError	true
print(kinds("Any", 429)) --> ThrottlingError ClientError ServiceError	true
print(kinds("ProvisionedThroughputExceededException", 400)) --> ThrottlingError ClientError ServiceError	true
print(kinds("ThrottlingException")) --> ThrottlingError ServiceError	true
print(kinds("Plain")) --> 	nil
print(kinds("Plain", 302)) --> 	nil
print(flow.error("ServerError").retryable, flow.error("TimeoutError").retryable, flow.error("ActivityNotFound").retryable) --> true	true	false
--- it is read only and says what it has
local e = flow.error("X")
print(pcall(function() e.name = "Y" end)) --> false	test.lua:3: an error value cannot be changed: it has no field 'name' that can be set
print(e.nmae) --- error: an error value has no field 'nmae' .did you mean 'name'
--- the logical stack
local function leaf() error("deep") end
local function branch() leaf() end
flow.try {
  function() flow.spawn(branch) end,
  catch = function(err) print(err:trace()) end, --> Error: deep
}
-- -->   at test.lua:2 in leaf
-- -->   at test.lua:3
-- -->   ---continuation---
-- -->   at test.lua:5
-- -->   ---continuation---
-- -->   at test.lua:4
--- the stack of an activity's failure
local function charge() return flow.activity("fail")({ name = "Declined" }) end
flow.try {
  function() charge() end,
  catch = function(err) print(err:trace()) end, --> Declined
}
-- -->   at test.lua:2 in charge
-- -->   at test.lua:4
-- -->   ---continuation---
-- -->   at test.lua:3
--- repeated segments are folded
local function down(n)
  if n == 0 then error("bottom") end
  flow.spawn(down, n - 1):await()
end
local ok, err = pcall(down, 50)
flow.try {
  function() down(50) end,
  catch = function(err) print((err:trace():gsub("%(tail call%)\n", ""))) end, --> Error: bottom
}
-- -->   at test.lua:3
-- -->   ---continuation---.(repeated:49)
-- -->   at test.lua:4
-- -->   ---continuation---
-- -->   at test.lua:4 in down
-- -->   at test.lua:8
-- -->   ---continuation---
-- -->   at test.lua:7
--- error levels and positions are Lua's
local function check(x) error("bad x", 2) end --- error: bad x
local ok, err = pcall(function() check(1) end)
print(err) --> test.lua:3: bad x
check(1)
--- errors of the language have their position
local t = nil
print(t.x) --- error: attempt to index
--- flow.error needs a name
flow.error() --- error: flow.error expects the error's name as argument #1, got nil
--- unknown field
flow.error("X", "m", { stauts = 4 }) --- error: flow.error: unknown option 'stauts' .did you mean 'status'
--- is called with a dot
flow.error("X").is("X") --- error: err:is expects an error value, got "X"; call methods with a colon
--- a deep identity: through branches, async calls, all, outcome, channels
local low = flow.error("Low")
local function fails() error(low) end
local function same(p) local ok, err = pcall(p.await, p) return err == low end
print(same(flow.spawn(fails)), same(flow.async(fails)(flow.timer(1))), same(flow.all { flow.spawn(fails) })) --> true	true	true
print(flow.spawn(fails):outcome():await().error == low, same(flow.map({ 1 }, fails)), same(flow.timeout(5, fails))) --> true	true	true
print(same(flow.retry { max_attempts = 1 }:run(fails)), same(flow.race { flow.spawn(fails) }), same(flow.try { fails, finally = print })) --> 
-- --> true	true	true
--- joined to a text, as handlers do
local e = flow.error("Lost", "parcel 7")
print("caught " .. e, e .. 1) --> caught Lost: parcel 7	Lost: parcel 71
print(pcall(function() return e .. {} end)) --> false	test.lua:4: attempt to concatenate a table value
--- the message is what was said, without Lua's places, and only those are taken away
local function message(fn) return flow.try { fn, catch = function(err) return err.message end }:await() end
print(message(function() error("plain") end)) --> plain
print(message(function() error("db.local:5432: refused", 0) end)) --> db.local:5432: refused
print(message(function() error("db.local:5432: refused") end)) --> db.local:5432: refused
print(message(function() error(select(2, pcall(error, "raised again"))) end)) --> raised again
print(message(function() error(select(2, pcall(function() error("twice") end))) end)) --> twice
print(message(function() coroutine.wrap(function() error("through a coroutine") end)() end)) --> through a coroutine
