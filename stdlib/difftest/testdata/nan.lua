local nan = 0/0
print(nan == nan, nan ~= nan, nan < nan, nan > nan, nan <= nan, nan >= nan, nan < 1, nan > 1, 1 < nan)
local t = {} print(pcall(function() t[nan] = 1 end)) print(t[nan], rawget(t, nan)) print(pcall(rawset, t, nan, 1)) print(pcall(next, t, nan))
print(math.max(1, nan) == 1, math.min(nan, 1) ~= 1, math.floor(2^60), tonumber("nan") ~= tonumber("nan"), nan and true, not nan)
for i = 1, nan do print "never" end for i = nan, 1 do print "never" end print "done"
print(pcall(string.rep, "x", nan)) print(#("abc"):sub(nan)) print(("abc"):byte(nan))
print((nan ~= nan) == true, -nan ~= -nan, nan + 1 ~= nan + 1, 2 ^ nan ~= 2 ^ nan, 1 ^ nan, nan ^ 0)
print(1 < math.huge, -math.huge < 1, math.huge == math.huge, math.huge - math.huge ~= math.huge - math.huge)
