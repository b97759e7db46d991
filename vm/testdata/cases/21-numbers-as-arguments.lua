-- Integer arguments are C's: texts count, fractions are cut, and of large numbers the lower 32 bits are taken.
local function show(...)
	local out = {}
	for i = 1, select("#", ...) do out[i] = type((select(i, ...))) .. " " .. tostring((select(i, ...))):gsub("^%S*:%d+: ", "") .. ";" end
	print(table.concat(out, ", "))
end
for _, level in ipairs { 1e10, "1e999", "010", -1, 0.5, "2", 2 ^ 31, 2 ^ 32 + 1, 2 ^ 63 } do show(level, pcall(error, 1, level)) end
show(pcall(error, "text", "0x1"))
show(pcall(error, "text", "0b1"))
show(select("010", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))
show(select(2 ^ 32 + 1, "all"))
show(pcall(select, "1_0", 1))
show(pcall(select, 2 ^ 63, 1))
show(unpack({ 1, 2, 3 }, "2", 2 ^ 32 + 3))
show(pcall(unpack, {}, 1, 2 ^ 31 - 1))
show(tonumber("12", "10"), tonumber("12", 10.5), tonumber(" 0x1f ", 2 ^ 32 + 10), tonumber(1e15, 16))
show(tonumber("ff", 16), tonumber("ff", "16"), tonumber("99999999999999999999", 10.5), tonumber(("f"):rep(20), 16))
show(pcall(getfenv, -0.5), pcall(getfenv, "1"), pcall(getfenv, -1))
show(pcall(tonumber, "1", 1))
show(loadstring(1e15))

show((ipairs({}))({ 5, 6 }, "1"))
