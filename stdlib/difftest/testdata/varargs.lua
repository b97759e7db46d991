local function f(...) return select('#', ...), ... end
print(f()) print(f(nil)) print(f(nil, nil)) print(f(1, nil, nil)) print((f(1,2)))
local function g(...) local a, b = ... return a, b, select('#', ...) end
print(g()) print(g(1)) print(g(nil, 2, nil))
local function h(...) local t = {...} return #t, select('#', ...) end
print(h(1,2,3)) print(h())
print(select(-1, 1, 2, 3)) print(select(-3, 1, 2, 3)) print(pcall(select, -4, 1, 2, 3)) print(pcall(select, 0, 1))
print(select(2, 'a', nil, 'c')) print(select('#')) print(select('#', nil, nil)) print(select(5, 1, 2))
print(pcall(select)) print(pcall(select, 'x')) print(pcall(select, {}))
local function v(...) return (...) end print(v(7,8), v()) print((v()))
local function arg_old(...) return arg end print(arg_old(1))
local t = {f(1, nil), f(1, nil)} print(#t >= 3, t[1], t[2])
print(unpack({1, nil, 3}, 1, 3)) print(unpack({}, 1, 2)) print(unpack({1,2}, 2)) print(unpack({1,2,3}, -1, 1))
print((select('#', unpack({}, 1, 200))))
