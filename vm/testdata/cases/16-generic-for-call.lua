-- The expressions of a generic for are evaluated three registers below the top, so a call within a call overwrites what
-- is to be called. gopher-lua: "attempt to index a string value". No upstream report found.
local function module() return { walk = function(dir) return ipairs({ dir, dir .. "/x" }) end } end
for i, path in module().walk("a") do print(i, path) end
local t = { list = { walk = module().walk } }
for i, path in t.list.walk(module().walk and "b") do print(i, path) end
for i, v in ipairs({ module().walk("c") }) do print(i, type(v)) end
local s = { each = function(self, n) return ipairs({ n, self.last(n) }) end, last = function(n) return n + 1 end }
for i, v in s:each(s.last(s.last(1))) do print(i, v) end
