local function f(l) error("msg", l) end
local function g(l) f(l) end
for _, l in ipairs{0, 1, 2, 3, 4} do print(pcall(g, l)) end
print(pcall(error)) print(pcall(error, nil)) print(pcall(error, 5)) print(pcall(error, true, 2)) print(pcall(error, "m")) print(pcall(error, "m", 2))
print(select('#', pcall(error))) print(xpcall(function() error("a") end, function(m) return "H:" .. m end)) print(xpcall(function() error() end, function(m) return m == nil end))
print(xpcall(function() return 1, nil, 3 end, print)) print(pcall(xpcall)) print(pcall(pcall)) print(pcall(5)) print(pcall(nil))
print(xpcall(function() error("a") end, function() error("b") end))
print(pcall(assert, false)) print(pcall(assert, nil, "m")) print(pcall(assert, false, nil)) print(assert(1, 2, 3)) print(pcall(assert)) 
local ok, t = pcall(error, setmetatable({}, {__tostring = function() return "E" end})) print(tostring(t))
print(pcall(function() local a a() end)) print(pcall(function() local a = {} a.b.c = 1 end)) print(pcall(function() nope() end)) print(pcall(function() nope.x = 1 end)) print(pcall(function() local s = "x" s() end)) print(pcall(function() return #5 end)) print(pcall(function() return -{} end)) print(pcall(function() return {} < {} end)) print(pcall(function() return 1 < "2" end)) print(pcall(function() return nil > 1 end)) print(pcall(function() return {} .. "" end))
print(pcall(function() string.rep() end)) print(pcall(function() ("x"):rep({}) end)) print(pcall(function() ("x"):bad() end)) print(pcall(function() local t = {} t[nil] = 1 end)) print(pcall(function() for i = 1, "x" do end end)) print(pcall(function() for i = "a", 2 do end end)) print(pcall(function() for i = 1, 2, {} do end end)) print(pcall(function() for i in 5 do end end)) print(pcall(function() for i = 1, 10, 0 do break end return "zero step" end))
