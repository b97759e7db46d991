for i = 1, 2, 0.25 do io.write(i, " ") end print() for i = 1, 0, -0.25 do io.write(i, " ") end print() for i = 0, 1, 0.1 do io.write(i, " ") end print()
for i = 3, 1 do io.write "never" end for i = 1, 3, -1 do io.write "never" end print "-" for i = "1", "3" do io.write(i, " ") end print()
for i = 1, 3 do local j = i i = 10 io.write(j, " ", i, " ") end print()
for i = 2^53 - 1, 2^53 do io.write(i, " ") break end print()
local n = 0 for i = 1, math.huge do n = n + 1 if n > 5 then break end end print(n) for i = -1, -math.huge, -1 do n = n - 1 if n < 0 then break end end print(n)
local t = {1, 2, 3, nil, 5} local c = 0 for i, v in ipairs(t) do c = c + v end print(c) for i, v in next, {10, 20} do io.write(i, "=", v, " ") end print()
local function it(s, c) if c < s then return c + 1, c * c end end for a, b in it, 4, 0 do io.write(a, ":", b, " ") end print()
for a, b, c, d in (function() local done return function() if not done then done = true return 1, nil, 3 end end end)() do print(a, b, c, d) end
for k in pairs({}) do print "never" end for _ in (function() return nil end) do print "never" end
local i = 5 for i = 1, 2 do end print(i) do local i = 7 end print(i)
for i = 1, 3 do for j = 1, 3 do if j == 2 then break end io.write(i, j, " ") end end print()
