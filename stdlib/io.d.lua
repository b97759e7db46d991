---@meta io

---Files, for activities: Lua 5.1's library. The file that holds workflow and activities may use the name in both worlds; in
---workflow code a call is an error that says where it belongs.
---
---Functions that fail for a reason of the system return nil, a message and an error number; wrong arguments raise an
---error. A string holds at most 64 MB: longer files are read in pieces. What an activity leaves open is closed when it ends, and
---what waits for a pipe or a command then raises `CancelledError`.
---@class iolib
---@field stdin file* what the host gave as input; empty if it gave none
---@field stdout file*
---@field stderr file*
io = {}

---Closes a file, by default the default output.
---```lua
---local f = io.open(dir .. "/f", "w")
---io.close(f) --> true
---tostring(f) --> file (closed)
---```
---@param file? file*
---@return boolean? ok
---@return string? how "exit" for a command of popen
---@return integer? code its exit code; ok is nil if it is not 0
function io.close(file) end

---Writes what is buffered of the default output.
---```lua
---io.flush() --> true
---```
function io.flush() end

---Makes a file, or the file of that name, the default input; without an argument only returns it.
---```lua
---io.open(dir .. "/f", "w"):write("a\nb\n"):close()
---io.input(dir .. "/f")
---io.read() --> a
---io.read("*a") --> b\n
---```
---@param file? file*|string
---@return file*
function io.input(file) end

---Iterates over the lines of a file, which is closed at the end, or of the default input. A file that cannot be
---opened is an error.
---```lua
---io.open(dir .. "/f", "w"):write("a\nb"):close()
---for line in io.lines(dir .. "/f") do print(line) end
-----> a
-----> b
---```
---@param name? string
---@return fun(): string?
function io.lines(name) end

---Opens a file. Mode is "r" (the default), "w", "a" or one of them with "+", each with or without "b".
---```lua
---local f = assert(io.open(dir .. "/f", "w+"))
---f:write("one ", 2, "\n")
---f:seek("set")
---f:read("*a") --> one 2\n
---select(3, io.open(dir .. "/missing")) --> 2
---```
---@param name string
---@param mode? string
---@return file*?
---@return string? message
---@return integer? errno
function io.open(name, mode) end

---Makes a file, or the file of that name (which is emptied), the default output; without an argument only returns it.
---```lua
---local before = io.output()
---io.output(dir .. "/f")
---io.write("x")
---io.close()
---io.output(before)
---io.open(dir .. "/f"):read("*a") --> x
---```
---@param file? file*|string
---@return file*
function io.output(file) end

---Starts a shell command and opens its output ("r", the default) or its input ("w"). Closing the file waits for it and returns
---true or nil, "exit" and the exit code.
---
---When the cancellation of the activity is asked for, the command and all that it has started get SIGTERM, and SIGKILL 5
---seconds later; reading and writing then raise `CancelledError`, as not all is there. What the activity starts after that error
---cleans up, and is left alone. When the activity must stop (a timeout, the engine closes, its process dies) commands are killed.
---```lua
---local p = io.popen("echo hello; exit 3")
---p:read() --> hello
---p:close() --> nil	exit	3
---```
---@param command string
---@param mode? "r"|"w"
---@return file*?
---@return string? message
function io.popen(command, mode) end

---Reads from the default input; see `file:read`.
---```lua
---io.read() --> nil
---```
---@param ... string|number
---@return string|number|nil ...
function io.read(...) end

---A file for reading and writing that is removed when it is closed.
---```lua
---local f = io.tmpfile()
---f:write("x")
---f:seek("set", 0) --> 0
---f:read(1) --> x
---```
---@return file*
function io.tmpfile() end

---"file", "closed file", or nil if it is no file.
---```lua
---io.type(io.stdout) --> file
---io.type(1) --> nil
---```
---@param value any
---@return string?
function io.type(value) end

---Writes strings and numbers to the default output.
---```lua
---io.write("a", 1, "\n")
-----> a1
---```
---@param ... string|number
---@return file*?
---@return string? message
function io.write(...) end

---@class file*
local file = {}

---Closes the file; what is buffered is written. See `io.popen` for commands.
---```lua
---io.open(dir .. "/f", "w"):close() --> true
---```
---@return boolean? ok
---@return string? how
---@return integer? code
function file:close() end

---Writes what is buffered.
---```lua
---local f = io.open(dir .. "/f", "w")
---f:write("x")
---f:flush()
---io.open(dir .. "/f"):read("*a") --> x
---```
---@return file*?
function file:flush() end

---Iterates over the lines that follow; the file stays open.
---```lua
---local f = io.open(dir .. "/f", "w+")
---f:write("a\nb")
---f:seek("set")
---for line in f:lines() do print(line) end
-----> a
-----> b
---```
---@return fun(): string?
function file:lines() end

---Reads by formats: "*l" the next line without its end (the default), "*a" all the rest, "*n" a number, or a number of
---bytes. nil when there is nothing left, and nothing after the first nil.
---```lua
---local f = io.open(dir .. "/f", "w+")
---f:write("12 0x10 rest\nnext")
---f:seek("set")
---f:read("*n", "*n", "*l", 2, "*a") --> 12	16	 rest	ne	xt
---f:read("*l", "*a") --> nil
---```
---@param ... string|number
---@return string|number|nil ...
function file:read(...) end

---Moves to an offset from the beginning ("set"), the current place ("cur", the default) or the end ("end"), and returns
---the place from the beginning.
---```lua
---local f = io.open(dir .. "/f", "w+")
---f:write("hello")
---f:seek("end", -2) --> 3
---f:read("*a") --> lo
---```
---@param whence? "set"|"cur"|"end"
---@param offset? integer
---@return integer?
---@return string? message
function file:seek(whence, offset) end

---When what is written reaches the file: "no" at once, "line" after each newline, "full" when the buffer is full.
---```lua
---local f = io.open(dir .. "/f", "w")
---f:setvbuf("no") --> true
---f:write("x")
---io.open(dir .. "/f"):read("*a") --> x
---```
---@param mode "no"|"line"|"full"
---@param size? integer has no effect
---@return boolean
function file:setvbuf(mode, size) end

---Writes strings and numbers and returns the file.
---```lua
---io.open(dir .. "/f", "w"):write("a", 1):write("b"):close() --> true
---```
---@param ... string|number
---@return file*?
---@return string? message
function file:write(...) end
