---@meta os
---@class oslib
os = {}
function os.time(date) end
