-- sub
assert(("123456789"):sub(2, 4) == "234")
assert(("123456789"):sub(7) == "789")
assert(("123456789"):sub(7, 6) == "" and ("123456789"):sub(0, 0) == "")
assert(("123456789"):sub(-10, 10) == "123456789" and ("123456789"):sub(1, 9) == "123456789")
assert(("123456789"):sub(-10, -20) == "" and ("123456789"):sub(-1) == "9")
assert(("123456789"):sub(-6, -4) == "456" and ("\0\0\0"):sub(2, 2) == "\0")
assert(("abc"):sub(1, math.huge) == "abc" and ("abc"):sub(-math.huge) == "abc") -- clamped
assert(("abc"):sub("2", 2.9) == "b")
---
-- byte and char
assert(("a"):byte() == 97 and ("\255"):byte() == 255 and ("\0"):byte(1) == 0)
assert(select("#", ("hi"):byte(-10)) == 0 and select("#", ("hi"):byte(10)) == 0)
assert(table.concat({ ("\xe4bc"):byte(1, -1) }, " ") == "120 101 52 98 99") -- 5.1 has no \x escapes
assert(string.char() == "" and string.char(0, 255, 0) == "\0\255\0")
---
-- char above 255
string.char(65, 256) --- error: ^bad argument #2 to 'char' \(invalid value\)$
---
-- byte of too much
local _ = ("x"):rep(9000):byte(1, -1) --- error: string slice too long
---
-- case and order are of bytes
assert(("\200\255Az[`{@"):lower() == "\200\255az[`{@" and ("az\228"):upper() == "AZ\228")
assert(("abc\0"):reverse() == "\0cba" and (""):reverse() == "")
assert(("\0\0"):len() == 2)
---
-- rep
assert((""):rep(1e9) == "" and ("ab"):rep(0) == "" and ("ab"):rep(-1) == "" and ("ab"):rep("2") == "abab")
---
-- numbers are texts
assert(string.len(1e15) == 5 and string.sub(0.5, 1, 2) == "0.")
---
-- the name of the called function is in the message
local shorten = string.sub
shorten() --- error: ^bad argument #1 to 'shorten' \(string expected, got no value\)$
---
-- a method's argument is counted without the object
local _ = ("x"):rep({}) --- error: ^bad argument #1 to 'rep' \(number expected, got table\)$
---
-- a method on another kind of object
local t = { rep = string.rep }
t:rep(1) --- error: ^calling 'rep' on bad self \(string expected, got table\)$
---
-- a function without a name
local ok, e = pcall(string.rep)
assert(not ok and e == "bad argument #1 to '?' (string expected, got no value)", e)
---
-- find
assert(("alo"):find("") == 1 and select(2, ("alo"):find("")) == 0)
assert(("alo"):find("", 4) == 4 and ("alo"):find("", 10) == 4)
assert(("a\0o a\0o"):find("a", 2) == 5 and ("a\0a\0b"):find("\0b", 1, true) == 4)
assert(("a+b"):find("+", 1, true) == 2 and not ("a"):find("b", -10, true))
assert(("abc"):find("c", -1) == 3 and ("abc"):find("b", -1) == nil)
---
-- find with captures
local a, b, c, d = ("key=val"):find("(%a+)=()")
assert(a == 1 and b == 4 and c == "key" and d == 5)
---
-- match gives nil, one value, where nothing matches
assert(select("#", ("abc"):match("x")) == 1 and ("abc"):match("x") == nil)
assert(tonumber(("abc"):match("%d+")) == nil)
---
-- gmatch
local t = {}
for k, v in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do t[#t + 1] = k .. v end
assert(table.concat(t) == "a1b2")
local it = ("ab"):gmatch("()")
assert(it() == 1 and it() == 2 and it() == 3 and select("#", it()) == 0 and select("#", it()) == 0)
assert(("^a^a"):gmatch("^a")() == "^a") -- no anchor in gmatch
---
-- gsub
assert(("hello"):gsub("", "-") == "-h-e-l-l-o-")
assert(select(2, ("aaa"):gsub("a", "b", 0)) == 0 and ("aaa"):gsub("a", "b", 2) == "bba")
assert(("abc"):gsub("%w", "%%%0") == "%a%b%c" and ("abc"):gsub("%w", "%1") == "abc")
assert(("abc"):gsub("b", { b = 5 }) == "a5c" and ("abc"):gsub("b", { b = false }) == "abc")
assert(("abc"):gsub("(b)()", function(_, i) return i end) == "a3c")
assert(("abc"):gsub("b", 7) == "a7c" and ("abc"):gsub("b", "%") == "a\0c")
assert(("abc"):gsub("^a", "x") == "xbc" and ("aaa"):gsub("^a", "x") == "xaa")
assert(("abc"):gsub("%w*", "x") == "xx")
local meta = setmetatable({}, { __index = function(_, k) return k:upper() end })
assert(("abc"):gsub("%w", meta) == "ABC")
---
-- gsub of a table as a result
local _ = ("abc"):gsub("b", function() return {} end) --- error: ^invalid replacement value \(a table\)$
---
-- gsub by something else
local _ = ("abc"):gsub("b") --- error: ^bad argument #2 to 'gsub' \(string/function/table expected\)$
---
-- gsub with a capture that is not there
local _ = ("abc"):gsub("b", "%2") --- error: ^invalid capture index$
---
-- faults of patterns
for pattern, text in pairs({
  ["%"] = "malformed pattern (ends with '%')", ["[a"] = "malformed pattern (missing ']')", ["(a"] = "unfinished capture",
  ["(a))"] = "invalid pattern capture", ["%1"] = "invalid capture index", ["%f"] = "missing '[' after '%f' in pattern",
  ["%b"] = "unbalanced pattern",
}) do
  local ok, e = pcall(string.find, "a", pattern)
  assert(not ok and e == text, e)
end
---
-- patterns
assert(("THE (quick) fox"):find("%f[%a]%a+%f[%A]") == 1 and ("[[x]]"):match("%b[]") == "[[x]]")
assert(("a-b"):match("[a-]+") == "a-" and ("]"):match("[]]") == "]" and ("a^"):match("[b^]") == "^")
assert(("x\0y"):match("%z") == "\0" and ("aXb"):match("%u") == "X" and ("a.b"):match("%.") == ".")
assert(("   x  "):match("^%s*(.-)%s*$") == "x" and ("abab"):match("(ab)%1") == "ab")
assert(("0123456789"):rep(1000):match("^%d*$"))
---
-- format: integers
assert(("%d|%5d|%-5d|%05d|%+d|% d"):format(1, 2, 3, 4, 5, 6) == "1|    2|3    |00004|+5| 6")
assert(("%.3d|%5.3d|%i"):format(7, 7, -2.9) == "007|  007|-2")
assert(("%x|%X|%#x|%o|%#o|%u"):format(255, 255, 255, 8, 8, 7) == "ff|FF|0xff|10|010|7")
assert(("%x"):format(-1) == "ffffffffffffffff")
assert(("%d %d"):format(1e30, -1e30) == "9223372036854775807 -9223372036854775808") -- clamped
---
-- format: floats
assert(("%f|%.0f|%5.1f|%e|%g|%g"):format(1, 2.5, 3.14159, 12345.678, 1e20, 0.1) == "1.000000|2|  3.1|1.234568e+04|1e+20|0.1")
assert(("%g %g %5g"):format(1 / 0, -1 / 0, 0 / 0) == "inf -inf   nan" and ("%G"):format(1e-10) == "1E-10")
assert(("%#g|%#.0f|%.3g"):format(1, 2, 1234) == "1.00000|2.|1.23e+03")
assert(("%.14g"):format(0.1) == "0.1" and ("%.99f"):format(1 / 3):len() == 101)
---
-- format: texts
assert(("%s %5s|%-5s|%.2s"):format("a", "b", "c", "defg") == "a     b|c    |de")
assert(("%s"):format(1e15) == "1e+15" and ("%c%c"):format(65, 66) == "AB" and ("%%"):format() == "%")
assert(("%s"):format("a\0b") == "a" and #("%s"):format(("a\0"):rep(50)) == 100)
assert(("%s"):format(setmetatable({}, { __tostring = function() return "me" end })) == "me")
assert(("%q"):format('a"\\\n\r\0b') == '"a\\"\\\\\\\n\\r\\000b"')
---
-- format: missing argument
("%d %d"):format(1) --- error: ^bad argument #2 to 'format' \(no value\)$
---
-- format: wrong argument
("%d"):format("x") --- error: ^bad argument #1 to 'format' \(number expected, got string\)$
---
-- format: unknown conversion
("%y"):format(1) --- error: ^invalid option '%y' to 'format'$
---
-- format: too many digits
("%123d"):format(1) --- error: ^invalid format \(width or precision too long\)$
---
-- format: a table has no text
("%s"):format({}) --- error: ^bad argument #1 to 'format' \(string expected, got table\)$
---
-- a script's own methods
function string.trim(s) return (s:gsub("^%s+", ""):gsub("%s+$", "")) end
assert(("  x "):trim() == "x")
---
-- waiting inside gsub: a coroutine yields through it
local co = coroutine.wrap(function()
  return (("abc"):gsub("%w", function(c) return coroutine.yield(c) end))
end)
assert(co() == "a" and co("1") == "b" and co("2") == "c" and co("3") == "123")
