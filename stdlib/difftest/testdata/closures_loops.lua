local fs = {}
for i = 1, 3 do fs[#fs+1] = function() i = i + 1 return i end end
print(fs[1](), fs[1](), fs[2](), fs[3]())
local k = 0
while k < 3 do k = k + 1 local j = k fs[k] = function() j = j * 2 return j end end
print(fs[1](), fs[2](), fs[3](), fs[3]())
repeat local z = k fs.z = function() return z end k = k - 1 until z == 1
print(fs.z())
for k, v in pairs{10,20} do fs[k] = function() v = v + 1 return k, v end end
print(fs[1]()) print(fs[2]()) print(fs[1]())
local function counter() local c = 0 return function() c = c + 1 return c end, function() return c end end
local inc, get = counter() inc() inc() print(get())
