---@meta package

---The table that libraries look into: `loaded` is what `require` has loaded, `preload` what it asks first. `path` and
---`cpath` are empty, as modules come from beside the script.
---@class packagelib
---@field path string always empty
---@field cpath string always empty
package = {}

---What `require` has loaded, by name.
---```lua
---package.loaded.no_such_module --> nil
---```
---@type table<string, any>
package.loaded = {}

---Functions that `require` calls instead of looking for a file.
---```lua
---(function() package.preload.answer = function() return 42 end return require("answer") end)() --> 42
---```
---@type table<string, function>
package.preload = {}

---Lets the table of a `module` see the globals: `module("m", package.seeall)`.
---```lua
---(function() local m = {} package.seeall(m) return m.print == print end)() --> true
---```
---@param module table
function package.seeall(module) end
