local log = {}
local mt = {} for _, e in ipairs{"add","sub","mul","div","mod","pow","concat"} do mt["__"..e] = function(a, b) return e .. ":" .. type(a) .. ":" .. type(b) end end
mt.__unm = function(a) return "unm" end mt.__len = function() return 42 end mt.__call = function(self, ...) return "call", select('#', ...), ... end
mt.__index = function(t, k) return "idx:" .. tostring(k) end mt.__newindex = function(t, k, v) rawset(t, "_" .. tostring(k), v) end mt.__tostring = function() return "OBJ" end
local o = setmetatable({}, mt)
print(o + 1, 1 + o, o - o, o * 2, 2 / o, o % 2, o ^ 2, o .. "x", "x" .. o, 1 .. o, o .. o, -o) print(o(1, nil)) print(o.foo, o[1], o[true]) o.z = 5 print(rawget(o, "_z"), rawget(o, "z")) print(tostring(o)) print(o)
print("a" .. "b" .. o, o .. "a" .. "b", pcall(function() return 1 .. {} end))
print(pcall(function() return o < 1 end)) print(pcall(function() return o < o end)) print(pcall(function() return o <= o end))
mt.__lt = function(a, b) log[#log+1] = "lt" return true end print(o < o, o > o, o <= o, o >= o, table.concat(log, ","))
mt.__le = function(a, b) log[#log+1] = "le" return false end print(o <= o, o >= o, table.concat(log, ","))
local p = setmetatable({}, {__lt = mt.__lt}) print(pcall(function() return o < p end)) local q = setmetatable({}, {__lt = function() return false end}) print(pcall(function() return o < q end)) print(pcall(function() return o <= q end))
print(o == o, o == setmetatable({}, mt)) mt.__eq = function() return 1 end print(o == setmetatable({}, mt), o ~= setmetatable({}, mt), o == 1, o == setmetatable({}, {__eq = mt.__eq}), o == setmetatable({}, {__eq = function() end}))
print(pcall(setmetatable, setmetatable({}, {__metatable = "locked"}), {})) print(getmetatable(setmetatable({}, {__metatable = "locked"}))) print(getmetatable("").__index == string)
local c = setmetatable({}, {__index = setmetatable({a = 1}, {__index = {b = 2}})}) print(c.a, c.b, c.c)
local chain = setmetatable({}, {__call = o}) print(pcall(chain, 1))
print(pcall(function() local x = setmetatable({}, {__index = 5}) return x.y end)) print(pcall(function() local x = setmetatable({}, {__newindex = 5}) x.y = 1 end))
print(setmetatable({}, {__index = "abc"}).len, pcall(function() return setmetatable({}, {__concat = 5}) .. 1 end))
