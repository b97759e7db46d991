---@meta base
_G = {}
function ipairs(t) end
function pcall(fn, ...) end
function print(...) end
function require(name) end
function tostring(value) end

---@param err any
function error(err) end
