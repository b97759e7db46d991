-- time
assert(os.time() == 1e9 and os.clock() == 1 and os.difftime(5, 3) == 2)
assert(os.time({ year = 2001, month = 9, day = 9, hour = 1, min = 46, sec = 40 }) == 1e9)
assert(os.time({ year = 1970, month = 1, day = 1 }) == 12 * 3600)
assert(os.time({ year = "1970", month = 13, day = 0, hour = 0, sec = -1 }) == 364 * 86400 - 86400 + 86400 - 1)
---
-- time without a year
os.time({ month = 1, day = 1 }) --- error: ^field 'year' missing in date table$
---
-- time of a number
os.time(5) --- error: ^bad argument #1 to 'time' \(table expected, got number\)$
---
-- date
assert(os.date("!%c", 0) == "Thu Jan  1 00:00:00 1970" and os.date("%c", 0) == os.date("!%c", 0))
assert(os.date("%Y-%m-%d %H:%M:%S %j %p %a %A %b %B %y", 1e9) == "2001-09-09 01:46:40 252 AM Sun Sunday Sep September 01")
assert(os.date("%x %X %D %F %T %R %r", 1e9) == "09/09/01 01:46:40 09/09/01 2001-09-09 01:46:40 01:46 01:46:40 AM")
assert(os.date("%U %W %V %G %w %u %I %e%%%", 1e9) == "36 36 36 2001 0 7 01  9%%")
assert(os.date("*t").year == 2001 and os.date("*t", 0).yday == 1 and os.date("*t", 0).isdst == false)
for t = -1e10, 1e10, 123456789 do assert(os.time(os.date("*t", t)) == t) end
assert(os.date("%c", 1e30) == nil)
---
-- what belongs in an activity
os.getenv("HOME") --- error: ^os.getenv is not available in workflow code: do it in an activity$
---
-- os.exit too
os.exit(1) --- error: ^os.exit is not available in workflow code: do it in an activity$
