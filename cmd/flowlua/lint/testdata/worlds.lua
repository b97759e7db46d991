local flow = require "flow"

local function read(path) return io.open(path) end
local function both() return io.read() end --> 33 io.read is not available in workflow code: do input and output in an activity (flow.activity)
local function nobody() return os.exit() end
local disk = {}
function disk.size(path) return io.open(path) end
function disk:home() return os.getenv("HOME") end --> 32 os.getenv is not available in workflow code: do this in an activity (flow.activity)
disk.temporary = function() return os.tmpname() end
local net = { get = function() return io.popen("curl") end }

flow.activity("read", read)
flow.activity("size", { start_to_close = 1 }, disk.size)
flow.activity("all", function()
  flow.heartbeat(1)
  flow.sleep(1)
  flow.spawn(both) --> 8 flow.spawn cannot be used inside an activity: it belongs in workflow code
  return disk.temporary(), net.get(), os.execute("ls"), both()
end)
flow.activities { list = function() return io.lines(".") end }

flow.workflow("w", function()
  flow.heartbeat(1) --> 8 flow.heartbeat works in an activity only, this is workflow code
  both()
  disk:home()
  flow.sleep(1)
  return flow.spawn(function() return io.open("x") end), dofile("x") --> 42 io.open is not available in workflow code: do input and output in an activity (flow.activity); 58 dofile is not available in workflow code: use require
end)
