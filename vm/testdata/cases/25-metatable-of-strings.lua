local gsub = string.gsub
local function try(f)
  local ok, message = pcall(f)
  print(ok, (gsub(message, "^.-:%d+: ", "")))
end
local t, p = setmetatable({}, getmetatable("")), newproxy(true)
try(function() return t + 1 end)
try(function() return 2 % t end)
try(function() return t ^ "3" end)
try(function() return -t end)
debug.setmetatable("", getmetatable(p))
try(function() return p * 2 end)
try(function() return "x" * 2 end)
getmetatable(p).__sub = rawequal
print("3" * 2, p - p, p - 1, "x" - "x", "x" - 1)
