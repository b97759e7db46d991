---@meta fs

---What Lua's `io` and `os` lack of a file system, for activities. Failures are raised as `FileError`, with the kinds `NotFound`,
---`Exists` or `PermissionDenied` where they apply, so that `catch` and retries see them.
---@class fslib
local fs = {}

---@class fs.Entry
---@field name string without the directory
---@field type "file"|"directory"|"link"|"other"
---@field size integer bytes
---@field mtime number of the last change, in seconds since 1970

---Joins parts of a path and makes it clean.
---```lua
---fs.join("a", "b/../c", "d.txt") --> a/c/d.txt
---```
---@param ... string
---@return string
function fs.join(...) end

---What is in a directory, in the order of the names.
---```lua
---fs.write(dir .. "/b.txt", "12345")
---fs.mkdir(dir .. "/a")
---local list = fs.list(dir)
---print(#list, list[1].name, list[1].type, list[2].name, list[2].size) --> 2	a	directory	b.txt	5
---local ok, err = pcall(fs.list, dir .. "/missing")
---print(err.name, err:is("NotFound")) --> FileError	true
---```
---@param dir string
---@return fs.Entry[]
function fs.list(dir) end

---Makes a directory and those above it. One that exists already is no error.
---```lua
---fs.mkdir(dir .. "/x/y/z")
---fs.stat(dir .. "/x/y/z").type --> directory
---```
---@param path string
function fs.mkdir(path) end

---The whole content of a file, at most 64 MB.
---```lua
---fs.write(dir .. "/note", "hello")
---fs.read(dir .. "/note") --> hello
---```
---@param path string
---@return string
function fs.read(path) end

---Removes a file, or a directory and all that is in it. One that does not exist is no error. The current directory
---and those around it are refused.
---```lua
---fs.mkdir(dir .. "/x/y")
---fs.remove_all(dir .. "/x")
---fs.stat(dir .. "/x") --> nil
---select(2, pcall(fs.remove_all, "/")) --> fs.remove_all: / is or holds the current directory: name what is to be removed
---```
---@param path string
function fs.remove_all(path) end

---Describes a file, or what a link leads to; nil if there is none.
---```lua
---fs.write(dir .. "/note", "hello")
---fs.stat(dir .. "/note").size --> 5
---fs.stat(dir .. "/missing") --> nil
---```
---@param path string
---@return fs.Entry?
function fs.stat(path) end

---Iterates over everything below a directory, in the order of the names, a directory before what is in it. Links are
---not followed.
---```lua
---fs.mkdir(dir .. "/sub")
---fs.write(dir .. "/sub/f", "")
---for path, entry in fs.walk(dir) do
---  print(path:sub(#dir + 2), entry.type)
---end
-----> sub	directory
-----> sub/f	file
---```
---@param dir string
---@return fun(): string, fs.Entry
function fs.walk(dir) end

---Writes a whole file: it is written beside the old one, synced to the disk and renamed, so that nobody ever sees a part of it.
---```lua
---fs.write(dir .. "/note", "one")
---fs.write(dir .. "/note", "two")
---fs.read(dir .. "/note") --> two
---```
---@param path string
---@param data string
function fs.write(path, data) end

return fs
