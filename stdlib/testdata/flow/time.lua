--- the clock stands still within a turn
local a = flow.now()
for i = 1, 1000 do end
print(flow.now() == a) --> true
flow.sleep(0.25)
print(flow.now() - a) --> 0.25
--- durations
flow.sleep("1m30s") flow.sleep("250ms") flow.sleep("2h") flow.sleep("1d") flow.sleep(0)
print(flow.now() - 946684800) --> 93690.25
--- timers
print(flow.timer("1s"):await()) --> 
print(flow.timer(1, "a", "b"):await()) --> a	b
print(flow.timer(0, "now"):ready()) --> true
--- timers of one moment fire in the order in which they were started
for i = 1, 3 do flow.spawn(function() flow.timer(1):await() print(i) end) end --> 1
flow.sleep(2) --> 2
-- --> 3
--- a sleep that was cancelled keeps no scope open
local p = flow.spawn(flow.sleep, "1h")
flow.sleep(1)
p:cancel()
flow.try { function() local q = flow.spawn(flow.sleep, "1h") flow.sleep(1) q:cancel() end }:await()
print(flow.now() % 3600) --> 2
--- negative
flow.sleep(-1) --- error: flow.sleep expects a duration of 0 or more seconds, got -1
--- no duration
flow.sleep("soon") --- error: flow.sleep expects a duration such as 1.5, "250ms", "1m30s", "2h" or "7d", got "soon"
--- nothing
flow.timer() --- error: flow.timer expects a duration .seconds, or text such as "1m30s"., got nil
--- a timeout of the wrong type
flow.timer(1):await({}) --- error: promise:await expects a duration .*, got table
--- sleeping for no time lets the others have their turn
local done = false
flow.spawn(function() done = true end)
while not done do flow.sleep(0) end
print("done") --> done
