-- The callers of what a module returns are in other files: nothing is known about where it runs.
local M = {}
function M.read(path) return io.open(path) end
local function direct() return io.read() end --> 35 io.read is not available in workflow code: do input and output in an activity (flow.activity)
direct()
return M
