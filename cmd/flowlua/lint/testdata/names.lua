#!/usr/bin/env flowlua
local flow = require "flow"
local total = 0
prnt(total) --> 1 undefined global 'prnt' (did you mean 'print'?)
total, count = 1, 2 --> 8 assignment to undefined global 'count' (is 'local' missing?)
print(count, totl) --> 14 undefined global 'totl' (did you mean 'total'?)
function report() end --> 10 function report is global: write 'local function report'
report()
print = nil --> 1 assignment to 'print' replaces Lua's own
flwo.spawn(print) --> 1 undefined global 'flwo' (did you mean 'flow'?)
x = y; x = y --> 1 assignment to undefined global 'x' (is 'local' missing?); 5 undefined global 'y'; 8 assignment to undefined global 'x' (is 'local' missing?); 12 undefined global 'y'
local function recursive(n) return n == 0 or recursive(n - 1) end
for i, v in ipairs({}) do recursive(i + v) end
print(i) --> 7 undefined global 'i'
repeat local done = true until done
print(_G.anything, ("x"):rep(2), { i = 1, [total] = 2 }, ...)
do local inner = 1 end
while inner do break end --> 7 undefined global 'inner'
