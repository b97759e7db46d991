---@meta math

---Lua 5.1's library. Numbers are 64-bit floats; where an integer is asked for they are truncated and clamped, on
---every processor alike.
---@class mathlib
---@field huge number infinity
---@field pi number
math = {}

---The value without its sign.
---```lua
---math.abs(-3) --> 3
---```
---@param x number
---@return number
function math.abs(x) end

---Arc cosine, in radians.
---```lua
---math.acos(1) --> 0
---```
---@param x number
---@return number
function math.acos(x) end

---Arc sine, in radians.
---```lua
---math.asin(0) --> 0
---```
---@param x number
---@return number
function math.asin(x) end

---Arc tangent, in radians.
---```lua
---math.atan(1) * 4 == math.pi --> true
---```
---@param x number
---@return number
function math.atan(x) end

---Arc tangent of y/x, in the right quadrant.
---```lua
---math.deg(math.atan2(1, -1)) --> 135
---```
---@param y number
---@param x number
---@return number
function math.atan2(y, x) end

---The least integer not below x.
---```lua
---math.ceil(1.2) --> 2
---```
---@param x number
---@return number
function math.ceil(x) end

---Cosine of radians.
---```lua
---math.cos(0) --> 1
---```
---@param x number
---@return number
function math.cos(x) end

---Hyperbolic cosine.
---```lua
---math.cosh(0) --> 1
---```
---@param x number
---@return number
function math.cosh(x) end

---Radians to degrees.
---```lua
---math.deg(math.pi) --> 180
---```
---@param x number
---@return number
function math.deg(x) end

---e to the power of x.
---```lua
---math.exp(0) --> 1
---```
---@param x number
---@return number
function math.exp(x) end

---The largest integer not above x.
---```lua
---math.floor(-1.2) --> -2
---```
---@param x number
---@return number
function math.floor(x) end

---The rest of x / y with the sign of x.
---```lua
---math.fmod(-7, 3) --> -1
---```
---@param x number
---@param y number
---@return number
function math.fmod(x, y) end

---The fraction (0.5 to 1) and the exponent that make x = fraction * 2^exponent.
---```lua
---print(math.frexp(8)) --> 0.5	4
---```
---@param x number
---@return number fraction
---@return integer exponent
function math.frexp(x) end

---x times 2 to the power of exponent.
---```lua
---math.ldexp(0.5, 4) --> 8
---```
---@param x number
---@param exponent integer
---@return number
function math.ldexp(x, exponent) end

---Natural logarithm.
---```lua
---math.log(1) --> 0
---```
---@param x number
---@return number
function math.log(x) end

---Logarithm to base 10; whole for powers of ten.
---```lua
---math.log10(1000) --> 3
---```
---@param x number
---@return number
function math.log10(x) end

---The largest argument.
---```lua
---math.max(1, 3, 2) --> 3
---```
---@param x number
---@param ... number
---@return number
function math.max(x, ...) end

---The smallest argument.
---```lua
---math.min(3, 1, 2) --> 1
---```
---@param x number
---@param ... number
---@return number
function math.min(x, ...) end

---The old name of fmod.
---```lua
---math.mod(7, 3) --> 1
---```
---@deprecated
---@param x number
---@param y number
---@return number
function math.mod(x, y) end

---The integral and the fractional part, both with the sign of x.
---```lua
---print(math.modf(-3.25)) --> -3	-0.25
---```
---@param x number
---@return number whole
---@return number fraction
function math.modf(x) end

---x to the power of y.
---```lua
---math.pow(2, 10) --> 1024
---```
---@param x number
---@param y number
---@return number
function math.pow(x, y) end

---Degrees to radians.
---```lua
---math.rad(180) == math.pi --> true
---```
---@param x number
---@return number
function math.rad(x) end

---A number from 0 up to but without 1; with m an integer from 1 to m; with m and n from m to n. Each branch has a
---generator of its own, seeded by the run, so that a replay draws the same numbers.
---```lua
---local x = math.random(3, 5)
---x >= 3 and x <= 5 and x == math.floor(x) --> true
---pcall(math.random, 0) --> false	bad argument #1 to '?' (interval is empty)
---```
---@param m? integer
---@param n? integer
---@return number
function math.random(m, n) end

---Starts this branch's generator again.
---```lua
---math.randomseed(42)
---local first = math.random()
---math.randomseed(42)
---math.random() == first --> true
---```
---@param seed number
function math.randomseed(seed) end

---Sine of radians.
---```lua
---math.sin(0) --> 0
---```
---@param x number
---@return number
function math.sin(x) end

---Hyperbolic sine.
---```lua
---math.sinh(0) --> 0
---```
---@param x number
---@return number
function math.sinh(x) end

---Square root.
---```lua
---math.sqrt(16) --> 4
---```
---@param x number
---@return number
function math.sqrt(x) end

---Tangent of radians.
---```lua
---math.tan(0) --> 0
---```
---@param x number
---@return number
function math.tan(x) end

---Hyperbolic tangent.
---```lua
---math.tanh(0) --> 0
---```
---@param x number
---@return number
function math.tanh(x) end
