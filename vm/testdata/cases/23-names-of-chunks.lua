local function name(text) local _, e = loadstring("x = = 1", text) return (e:match("^(.-):1:")) end
for _, n in ipairs { 40, 45, 46, 60, 63, 64, 80 } do
	local long = ("abcdefghij"):rep(10):sub(1, n)
	print(n, name(long), name("=" .. long), name("@" .. long), name(long .. "\n"))
	for _, mark in ipairs { "", "=", "@" } do print((select(2, pcall(loadstring("error('e')", mark .. long))))) end
end
print(name("a\rb"), name("\n"), name(""), name("=a\nb"), name("a\0b"), name("=a\0b"))
print(loadstring("#!shebang"))
print(pcall(function() local a, b = load(function() return {} end) return b end))
print(pcall(debug.getinfo), pcall(debug.getinfo, "x"))
local t = {}
function t.m() local i = debug.getinfo(1, "n") return i.name, i.namewhat end
local l = t.m
function g() local i = debug.getinfo(1, "n") return i.name, i.namewhat end
print(t.m()) print(t:m()) print(l()) print(g()) print((function() local a, b = l() return a, b end)())
print(type(newproxy(true)), pcall(newproxy, 5), pcall(newproxy, {}))
print(pcall(function() return setmetatable({}, { __concat = 5 }) .. "x" end))
print(pcall(function() return -setmetatable({}, { __unm = "s" }) end))
print(pcall(tostring, setmetatable({}, { __tostring = true })))
