local a, b, c = 1 print(a, b, c) local x, y = 1, 2 x, y = y, x print(x, y) local t = {} local i = 1 i, t[i] = i + 1, 20 print(i, t[1], t[2])
local function f() return 1, 2, 3 end local p, q, r, s = f() print(p, q, r, s) p, q, r = 0, f() print(p, q, r) p, q, r = f(), 10 print(p, q, r) p, q = (f()) print(p, q)
local t2 = {f(), f()} print(#t2) t2 = {f(), (f())} print(#t2) t2 = {(f()), f(), nil} print(#t2) t2 = {[1] = "a", "b"} print(t2[1]) t2 = {f(), x = 1, f()} print(#t2)
local a1 = {} a1.x, a1.y = 1 print(a1.x, a1.y) local o = setmetatable({}, {__newindex = function(t, k, v) io.write(k, "=", tostring(v), " ") end}) o.a, o.b, o.c = 1, 2 print()


local q1 = {1, 2, 3} local idx = 1 q1[idx], idx = idx + 10, 2 print(q1[1], q1[2], idx) local s1, s2 = "a" .. "b", #"abc" print(s1, s2)
a, b, c = (function(...) return ... end)(1, nil, 3) print(a, b, c) local _ = nil, nil, print("evaluated")
local m = {n = {}} m.n.x, m.n = 1, {x = 2} print(m.n.x)
