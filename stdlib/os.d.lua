---@meta os

---The clock of the run, in UTC: it stands still within a turn and reads the same in a replay. What touches the
---machine (`execute`, `exit`, `getenv`, `remove`, `rename`, `setlocale`, `tmpname`) raises an error in workflow code
---that says so: it belongs in an activity, where the full `os` is. There `os.execute(command)` returns the exit code, and raises
---`CancelledError` when it was ended because cancellation was asked for: see `io.popen`.
---@class oslib
os = {}

---Seconds since the run started, by the run's clock.
---```lua
---os.clock() >= 0 --> true
---```
---@return number
function os.clock() end

---Writes a moment by a layout of C's strftime (`%Y-%m-%d %H:%M:%S`, `%a %A %b %B %c %d %j %p %U %w %x %X %y %Z` and the others),
---"%c" if there is none. `*t` gives a table: year, month, day, hour, min, sec, wday (1 is Sunday), yday, isdst (false).
---A leading `!` is allowed and changes nothing, as all is UTC. Time defaults to now.
---```lua
---os.date("!%Y-%m-%d %H:%M:%S", 1e9) --> 2001-09-09 01:46:40
---os.date("%c", 0) --> Thu Jan  1 00:00:00 1970
---local t = os.date("*t", 86400)
---print(t.year, t.month, t.day, t.wday) --> 1970	1	2	6
---```
---@param layout? string
---@param time? number
---@return string|osdate|nil
function os.date(layout, time) end

---Seconds from one moment to another.
---```lua
---os.difftime(30, 10) --> 20
---```
---@param later number
---@param earlier? number
---@return number
function os.difftime(later, earlier) end

---The seconds since 1970 of now, or of a table with year, month, day and perhaps hour (12), min, sec, isdst. Fields
---out of their range are carried over.
---```lua
---os.time({ year = 2001, month = 9, day = 9, hour = 1, min = 46, sec = 40 }) --> 1000000000
---os.date("%F", os.time({ year = 2024, month = 2, day = 30 })) --> 2024-03-01
---pcall(os.time, { year = 2024 }) --> false	field 'day' missing in date table
---```
---@param date? osdate
---@return integer?
function os.time(date) end

---@class osdate
---@field year integer
---@field month integer
---@field day integer
---@field hour? integer
---@field min? integer
---@field sec? integer
---@field wday? integer
---@field yday? integer
---@field isdst? boolean
