--- values in, values out
local echo = flow.activity("echo")
print(echo():await()) --> 
print(echo(1, "a", nil, true):await()) --> 1	a	nil	true
local t = echo({ list = { 1, 2 }, name = "n" }):await()
print(t.list[2], t.name) --> 2	n
--- several declared at once
local acts = flow.activities { echo = { start_to_close = "30s" }, slow = { heartbeat = 10 } }
print(acts.echo("x"):await(), acts.slow(1, "y"):await()) --> x	y
--- promises anywhere in the arguments are waited for
local echo = flow.activity("echo")
local list = echo(flow.timer(1, "first", "lost"), { a = { flow.timer(2, "deep"), "kept" } }, flow.timer(1)):await()
local a, t = echo(flow.timer(1, "first", "lost"), { a = { flow.timer(2, "deep"), "kept" } }):await()
print(list, a, t.a[1], t.a[2]) --> first	first	deep	kept
--- a promise of nothing is null in a list and no field in an object
local json = require "json"
local t = flow.activity("echo")({ list = { flow.timer(1), 2 }, field = flow.timer(1) }):await()
print(t.list[1] == json.null, t.list[2], t.field) --> true	2	nil
--- arguments are taken as they are at the call
local t = { n = 1, p = flow.timer(1, "late") }
local p = flow.activity("echo")(t)
local q = flow.activity("echo")({ t.n })
t.n = 2
print(p:await().n, p:await().p, q:await()[1], type(t.p)) --> 1	late	1	userdata
--- one promise in two places, and a table that occurs twice
local p = flow.timer(1, "v")
local shared = { p }
local a, b, c = flow.activity("echo")(p, shared, shared):await()
print(a, b[1], c[1]) --> v	v	v
--- an argument that fails first fails the call, and nothing starts
local p = flow.activity("echo")(flow.spawn(error, flow.error("Early")), flow.timer("1h"))
local ok, err = pcall(p.await, p)
print(err.name, err.activity, flow.now() % 60) --> Early	nil	0
--- a chain of activities needs no await
local slow = flow.activity("slow")
print(slow(1, slow(1, slow(1, "end"))):await(), flow.now() % 60) --> end	3
--- a failure has the activity's name, kinds, status, details, cause
local p = flow.activity("fail")({ name = "Declined", message = "no", status = 402, kinds = { "Payment" }, details = { left = 3 }, cause = { name = "Bank" } })
local ok, err = pcall(p.await, p)
print(err, err.activity, err.status, err:is("Payment"), err:is("ClientError"), err.details.left, err.cause.name, err.retryable) --> Declined: no	fail	402	true	true	3	Bank	false
print(err.details == err.details, err.cause == err.cause) --> true	true
--- cancelled while it waits for its arguments it never starts
local p = flow.activity("echo")(flow.promise())
p:cancel()
print(pcall(p.await, p)) --> false	CancelledError
--- cancelled while it runs
local p = flow.activity("slow")(3600)
flow.sleep(1)
p:cancel("r")
print(pcall(p.await, p)) --> false	CancelledError: r
print(flow.now() % 60) --> 1
--- the last act of a branch can be an activity
print(flow.spawn(function() return flow.activity("slow")(1, "v", "w") end):await()) --> v	w
--- what cannot leave the run is an error at the line of the call
flow.activity("echo")({ items = { 1, { callback = print } } }) --- error: activity 'echo': input.items\[2\].callback: a function cannot leave the run
--- a cycle
local t = {}
t.t = t
flow.activity("echo")(1, t) --- error: activity 'echo': input\[2\].t: 
--- not a number
flow.activity("echo")(0/0) --- error: activity 'echo': input: 
--- beside a promise too
flow.activity("echo")({ p = flow.timer(1), f = print }) --- error: activity 'echo': input.f: a function
--- a table without promise inside, cyclic, beside a promise
local t = {}
t.t = t
flow.activity("echo")(flow.timer(1), t) --- error: activity 'echo': input\[2\].t: 
--- a promise whose value cannot leave
local p = flow.promise()
flow.activity("echo")({ v = p }) --- error: activity 'echo': input.v: a function cannot leave
flow.sleep(1)
p:set(print)
flow.sleep(1)
--- stubs, channels and the like cannot leave
local echo = flow.activity("echo")
for _, v in ipairs { echo, flow.channel(), flow.semaphore(1), flow.signal("s"), flow.retry(), flow.nowait(flow.promise()) } do
  print((select(2, pcall(echo, v)):gsub("^.*input: ", "")))
end
-- --> activity 'echo' cannot leave the run: pass what calling it gives
-- --> a channel cannot leave the run
-- --> a semaphore cannot leave the run
-- --> signal 's' cannot leave the run
-- --> a retry policy cannot leave the run
-- --> a promise cannot leave the run: await it first
--- error values can leave and come back
local e = flow.error("Declined", "no", { status = 402, details = { 1 }, cause = flow.error("Bank"), retryable = true, kinds = { "Payment" } })
local back = flow.activity("echo")({ e }):await()[1]
print(back, back.status, back.details[1], back.cause.name, back.retryable, back:is("Payment")) --> Declined: no	402	1	Bank	true	true
--- with: a copy, options that are not given stay
local slow = flow.activity("slow", { start_to_close = 5, retry = { max_attempts = 2 } })
local other = slow:with { heartbeat = "1s", retry = false }
print(other == slow, other(1, "v"):await()) --> false	v
--- children: a stub of a workflow
local ship = flow.workflow("ship", { on_parent_close = "abandon" }, function() end)
print(ship("pen"):await()) --> pen
print(ship:with { id = "ship-7" }(flow.timer(1, "ink")):await()) --> ink
--- a child that fails
local bad = flow.workflow("fail", function() end)
local p = bad({ name = "ChildWorkflowError", message = "child fail failed", cause = { name = "OutOfStock" } })
local ok, err = pcall(p.await, p)
print(err.name, err.cause.name, err.activity) --> ChildWorkflowError	OutOfStock	nil
--- unknown option
flow.activity("a", { start_to_clos = 1 }) --- error: flow.activity 'a': unknown option 'start_to_clos' .did you mean 'start_to_close'
--- wrong type
flow.activities { a = { heartbeat = true } } --- error: flow.activities 'a': option 'heartbeat' expects a duration
--- unknown option of a child
flow.workflow("w", print):with { ids = 1 } --- error: workflow 'w': unknown option 'ids' .did you mean 'id'
--- a word that is none of the few
flow.workflow("w", { on_parent_close = "canel" }, print) --- error: option 'on_parent_close' expects one of 'terminate', 'cancel', 'abandon', got 'canel' .did you mean 'cancel'
--- an id that is none
flow.workflow("w", print):with { id = "" } --- error: option 'id' expects a string that names a run
--- declared twice
flow.workflow("w", print)
flow.workflow("w", print) --- error: a workflow 'w' is declared already
--- implemented twice
flow.activity("a", print)
flow.activity("a", print) --- error: an activity 'a' is implemented already
--- a name is needed
flow.activity { } --- error: flow.activity expects the activity's name as argument #1, got table
--- a table nested too deep, beside a promise
local t = {}
for i = 1, 100000 do t = { t } end
flow.activity("echo")(flow.timer(1), t) --- error: activity 'echo': input\[2\].*more than 200 tables
