local logging = require "logging"

local log = logging.new(function(self, level, message) print(level, message) return true end)
for _, level in ipairs { "DEBUG", "INFO", "WARN", "ERROR", "FATAL" } do
  print(log:setLevel(level))
  log:debug("debug %d", 1)
  log:info("info %s", "text")
  log:warn { a = 1, "x", nested = { true } }
  log:error(12.5)
  log:fatal(nil)
  log:log("ERROR", "%5.2f", 1 / 3)
end
print(pcall(log.setLevel, log, "NONE"))
print(pcall(log.log, log, "NONE", "x"))
print(pcall(logging.new, 1))
print(pcall(logging.new, nil))
log:setLevel("DEBUG")
log:info(function(a, b) return a .. "-" .. b end, "one", "two")
print(pcall(log.info, log, function() error("inside") end))
print(pcall(log.info, log, "%d", "x"))
print(logging.prepareLogMsg("%date|%level|%message\n", "2020", "INFO", "50% of it"))
print(logging.prepareLogMsg(nil, "2020", "WARN", "x"))
print(logging.tostring { 3, 2, 1, b = { 1, { 2 } }, a = "q\"uote" }, logging.tostring("s"), logging.tostring(true))
