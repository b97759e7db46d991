-- rounding
assert(math.floor(-1.5) == -2 and math.ceil(-1.5) == -1 and math.floor(1e300) == 1e300)
assert(math.fmod(-7, 3) == -1 and math.fmod(7, -3) == 1 and -7 % 3 == 2)
local whole, fraction = math.modf(-3.25)
assert(whole == -3 and fraction == -0.25)
whole, fraction = math.modf(math.huge)
assert(whole == math.huge and fraction == 0)
assert(math.huge == 1 / 0 and math.pi > 3.14159)
---
-- powers and logarithms
assert(math.pow(2, 10) == 1024 and math.sqrt(16) == 4 and math.exp(0) == 1 and math.log(1) == 0)
for i = -300, 300 do assert(math.log10(10 ^ i) == i or math.abs(math.log10(10 ^ i) - i) < 1e-12, i) end
assert(math.log10(1000) == 3 and math.floor(math.log10(1e15)) == 15)
local m, e = math.frexp(8)
assert(m == 0.5 and e == 4 and math.ldexp(0.5, 4) == 8)
---
-- max and min
assert(math.max(1, "3", 2) == 3 and math.min(3, -1) == -1)
---
-- max of nothing
math.max() --- error: ^bad argument #1 to 'max' \(number expected, got no value\)$
---
-- random keeps to its bounds
for _ = 1, 1000 do
  local x = math.random()
  assert(x >= 0 and x < 1)
  x = math.random(6)
  assert(x >= 1 and x <= 6 and x == math.floor(x))
  x = math.random(-3, 3)
  assert(x >= -3 and x <= 3)
end
assert(math.random(7, 7) == 7)
---
-- random is the same for the same seed
math.randomseed(42)
local a, b = math.random(1e9), math.random(1e9)
math.randomseed(42)
assert(a == math.random(1e9) and b == math.random(1e9) and a ~= b)
---
-- random of nothing
math.random(0) --- error: ^bad argument #1 to 'random' \(interval is empty\)$
---
-- random backwards
math.random(5, 1) --- error: ^bad argument #2 to 'random' \(interval is empty\)$
---
-- random of three
math.random(1, 2, 3) --- error: ^wrong number of arguments$
---
-- a text that is no number
math.abs("x") --- error: ^bad argument #1 to 'abs' \(number expected, got string\)$
