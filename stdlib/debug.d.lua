---@meta debug

---What there is of Lua 5.1's debug library: enough for error handlers and for libraries that look at their caller. It does
---not reach local variables, upvalues or the registry.
---@class debuglib
debug = {}

---The stack of the caller as text, below a message.
---```lua
---debug.traceback("here"):match("^here\nstack traceback:") ~= nil --> true
---```
---@param message? string
---@param level? integer
---@return string
function debug.traceback(message, level) end

---What is known of a function, or of the function at a level (1: the caller): source, short_src, currentline, linedefined,
---lastlinedefined, what, name, namewhat, func, nups. Nil if there is no such level.
---```lua
---debug.getinfo(print).what --> C
---debug.getinfo(1, "l").currentline > 0 --> true
---```
---@param f function|integer
---@param what? string ignored: all fields are given
---@return table?
function debug.getinfo(f, what) end

---The metatable of a value, or its `__metatable` field if it has one: here, too, what is locked stays so.
---```lua
---debug.getmetatable(setmetatable({}, { __metatable = "locked" })) --> locked
---```
---@param value any
---@return table?
function debug.getmetatable(value) end

---Sets the metatable of any value, for this run alone, and returns true.
---```lua
---debug.setmetatable({}, { a = 1 }) --> true
---```
---@param value any
---@param meta table?
---@return boolean
function debug.setmetatable(value, meta) end

---There are no hooks: nothing.
---```lua
---select("#", debug.gethook()) --> 0
---```
function debug.gethook() end

---There are no hooks: switching them off does nothing, setting one is an error.
---```lua
---pcall(debug.sethook) --> true
---```
---@param hook? function
---@param mask? string
---@param count? integer
function debug.sethook(hook, mask, count) end
