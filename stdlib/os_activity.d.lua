---@meta os

---What `os` has in activities besides: Lua 5.1's, on the real machine. In workflow code a call is an error that says where it belongs.
---@class oslib
os = {}

---Runs a shell command and waits for it: its exit code, or 128 + n when signal n ended it. Without a command 1: there is a shell.
---Raises `CancelledError` when the command was ended because cancellation was asked for.
---```lua
---os.execute("exit 3") --> 3
---```
---@param command? string
---@return integer code
function os.execute(command) end

---Is an error: an activity must not end the program that it runs in.
---```lua
---pcall(os.exit) --> false	os.exit is not available in an activity, which must not end its host: return from it, or raise an error
---```
---@param code? integer
function os.exit(code) end

---The value of an environment variable, nil if there is none.
---```lua
---os.getenv("NOTHING_OF_THIS_NAME") --> nil
---```
---@param name string
---@return string?
function os.getenv(name) end

---Removes a file or an empty folder.
---```lua
---io.open(dir .. "/f", "w"):close()
---os.remove(dir .. "/f") --> true
---select("#", os.remove(dir .. "/f")) --> 3
---```
---@param path string
---@return true? done nil and what went wrong, if it did
---@return string? message
---@return integer? number
function os.remove(path) end

---Renames a file or folder, within a file system in one step.
---```lua
---io.open(dir .. "/part", "w"):close()
---os.rename(dir .. "/part", dir .. "/whole") --> true
---```
---@param from string
---@param to string
---@return true? done nil and what went wrong, if it did
---@return string? message
---@return integer? number
function os.rename(from, to) end

---Tells the locale, which is always "C"; another one cannot be set.
---```lua
---os.setlocale() --> C
---os.setlocale("de_DE") --> nil
---```
---@param locale? string
---@param category? string
---@return string?
function os.setlocale(locale, category) end

---The name of a new, empty file in the folder for such. Whoever asks for it removes it.
---```lua
---local name = os.tmpname()
---os.remove(name) --> true
---```
---@return string
function os.tmpname() end
