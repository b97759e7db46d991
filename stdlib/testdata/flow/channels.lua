--- rendezvous: a sender waits until its value is taken
local ch = flow.channel()
flow.spawn(function()
  ch:send(1)
  print("sent 1") --> received	1
  ch:send(2) --> sent 1
  print("sent 2") --> received	2
end) --> sent 2
flow.sleep(1)
print("received", ch:receive())
flow.sleep(1)
print("received", ch:receive())
--- capacity: the sender that waits longest is first
local ch = flow.channel(1)
for i = 1, 3 do flow.spawn(function() ch:send(i) end) end
flow.yield()
print(ch:receive(), ch:receive(), ch:receive()) --> 1	2	3
--- several values are one item; false and json.null are values
local ch = flow.channel(3)
ch:send("a", 1, nil, "b")
ch:send(false)
ch:send(require("json").null)
print(ch:receive()) --> a	1	nil	b
print(ch:receive(), ch:receive()) --> false	null
--- each ends when the channel is closed and empty
local ch = flow.channel(2)
flow.spawn(function() for i = 1, 4 do ch:send(i) flow.sleep(1) end ch:close() end)
local n = 0
for v in ch:each() do n = n + v end
print(n, flow.now() % 60) --> 10	4
--- close wakes receivers, and fails senders
local ch = flow.channel()
flow.spawn(function() print("got", ch:receive()) end) --> got	nil
flow.yield()
ch:close()
flow.yield()
local full = flow.channel()
flow.spawn(function() print(pcall(full.send, full, 1)) end) --> false	Error: the channel was closed before the value was received
flow.yield()
full:close()
--- a receiver that is cancelled loses nothing
local ch = flow.channel()
local p = flow.spawn(function() ch:receive() print("never") end)
flow.yield()
flow.spawn(function() ch:send("kept") end)
flow.spawn(function() p:cancel() end)
flow.yield()
print(ch:receive("1s")) --> kept
--- a sender that is cancelled takes its value back
local ch = flow.channel()
local p = flow.spawn(function() ch:send("gone") end)
flow.yield()
p:cancel()
flow.yield()
print(pcall(ch.receive, ch, 1)) --> false	TimeoutError: 1s passed
--- many producers and consumers
local ch, sum = flow.channel(3), 0
for i = 1, 10 do flow.spawn(function() for j = 1, 100 do ch:send(j) end end) end
local workers = {}
for i = 1, 4 do workers[i] = flow.spawn(function() for v in ch:each() do sum = sum + v flow.yield() end end) end
flow.sleep(1)
ch:close()
flow.all(workers):await()
print(sum) --> 50500
--- semaphore: never more than n, first come first served
local sem, inside, most, order = flow.semaphore(2), 0, 0, {}
for i = 1, 6 do
  flow.spawn(function()
    sem:with(function()
      inside = inside + 1
      most = math.max(most, inside)
      order[#order + 1] = i
      flow.sleep(1)
      inside = inside - 1
    end)
  end)
end
flow.sleep(10)
print(most, table.concat(order)) --> 2	123456
--- semaphore: released whatever happens
local sem = flow.semaphore(1)
local low = flow.error("Low")
print(select(2, pcall(sem.with, sem, error, low)) == low) --> true
print(pcall(sem.with, sem, error, "text")) --> false	text
local p = flow.spawn(function() sem:with(flow.sleep, "1h") end)
flow.sleep(1)
p:cancel()
print(sem:with(function(...) return "in", ... end, 1, nil)) --> in	1	nil
--- semaphore: one that is cancelled while it waits takes nothing
local sem = flow.semaphore(1)
sem:acquire()
local p = flow.spawn(function() sem:acquire() print("never") end)
flow.yield()
flow.spawn(function() sem:release() end)
flow.spawn(function() p:cancel() end)
flow.yield()
flow.yield()
print(pcall(sem.acquire, sem, 1)) --> true
--- send of nil
flow.channel():send(nil) --- error: channel:send expects a value, got nil
--- send after close
local ch = flow.channel()
ch:close()
ch:send(1) --- error: channel:send: the channel is closed
--- a dot instead of a colon
flow.channel().receive() --- error: channel:receive expects a channel, got nil; call it with a colon
--- capacity of the wrong type
flow.channel("x") --- error: flow.channel expects a whole number of at least 0 as its capacity, got "x"
--- semaphore of nothing
flow.semaphore(0) --- error: flow.semaphore expects a whole number of at least 1, got number 0
--- semaphore without end
flow.semaphore(1e18) --- error: flow.semaphore expects a whole number from 1 to 2147483647, got number 1000000000000000000
