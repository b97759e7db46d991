local inf, nan = 1/0, 0/0 local vs = {0, -1 * 0 == 0 and 0 * -1, 1, -1, 2, -2, 3, 0.5, -0.5, 0.1, 1/3, 7, -7, 10, 255, 2^31, -2^31, 2^32, 2^53, -2^53, 1e15, 1e100, 1e-100, 1e308, 5e-324, inf, -inf, nan}
local function s(x) if x ~= x then return "nan" end return ("%.17g"):format(x) end
for _, a in ipairs(vs) do local o = {} for _, b in ipairs(vs) do o[#o + 1] = s(a + b) .. " " .. s(a - b) .. " " .. s(a * b) .. " " .. s(a / b) .. " " .. s(a % b) .. " " .. s(math.fmod(a, b)) .. " " .. tostring(a < b) .. tostring(a <= b) .. tostring(a == b) end print(s(a), table.concat(o, ";")) end
for _, a in ipairs(vs) do print(s(-a), s(math.floor(a)), s(math.ceil(a)), s(math.abs(a)), s(math.sqrt(a)), s((math.modf(a))), s((select(2, math.modf(a)))), s((math.frexp(a))), tostring(a):gsub("%-?nan", "nan"), s(tonumber(tostring(a)) or 0)) end
for _, a in ipairs{2, 3, 10, 0.5, -2, 0, 1} do for _, b in ipairs{0, 1, 2, 3, 10, -1, -2, 0.5, inf, -inf, 100} do io.write(s(a ^ b), " ") end print() end
for _, a in ipairs(vs) do io.write(s(math.max(a, 1)), " ", s(math.min(a, 1)), " ", s(math.ldexp(0.75, 3)), " ") end print()
