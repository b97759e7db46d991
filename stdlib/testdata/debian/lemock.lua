local lemock = require "lemock"

local mc = lemock.controller()
local m = mc:mock()
m.x = 17
local _ = m.y;mc:returns(5)
m:method(1, "two") mc:returns("first"):times(2)
m.fn(mc.ANYARGS);mc:error("planned"):anytimes()
m(7);mc:returns(8, 9):times(0, 1)
mc:replay()
m.x = 17
print(m.y)
print(m:method(1, "two"), m:method(1, "two"))
print(pcall(m.fn, 1, 2, 3))
print(m(7))
print(pcall(mc.verify, mc))

local second = lemock.controller()
local n = second:mock()
n.a = 1
second:replay()
print((select(2, pcall(second.verify, second)):gsub("0x%x+", "ADDR")))
print((select(2, pcall(function() n.b = 2 end)):gsub("0x%x+", "ADDR")))
