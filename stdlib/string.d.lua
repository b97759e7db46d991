---@meta string

---Texts are bytes: nothing here knows Unicode, and letters are those of ASCII. A number given for a text
---counts as its text. Negative positions count from the end. No text is longer than the run's limit
---(16 MB if not set); what a function does is charged to the run's instructions by size.
---
---Lua 5.1's library, with one addition: `%s` in `format` uses `__tostring`.
---@class stringlib
string = {}

---The bytes from position i (1) to j (i), at most about 8,000 of them.
---```lua
---print(string.byte("AZ", 1, -1)) --> 65	90
---("x"):byte() --> 120
---```
---@param s string|number
---@param i? integer
---@param j? integer
---@return integer ...
function string.byte(s, i, j) end

---The text of these bytes, each from 0 to 255.
---```lua
---string.char(76, 117, 97) --> Lua
---```
---@param ... integer
---@return string
function string.char(...) end

---The beginning of what Lua 5.1 would write for a compiled function, by which some libraries learn of how many bytes
---numbers are. It cannot be loaded.
---```lua
---string.dump(function() end):sub(2, 4) --> Lua
---```
---@param f function
---@return string
function string.dump(f) end

---Looks for the first match of a pattern from position init (1) on; returns where it starts and ends,
---then its captures; nil if there is none. With plain the pattern is the text itself.
---```lua
---print(("key=value"):find("=")) --> 4	4
---print(("key=value"):find("(%a+)=(%a+)")) --> 1	9	key	value
---print(("1+1"):find("+", 1, true)) --> 2	2
---("key"):find("=") --> nil
---```
---@param s string|number
---@param pattern string|number
---@param init? integer
---@param plain? boolean
---@return integer? start
---@return integer? finish
---@return string|integer ... captures
function string.find(s, pattern, init, plain) end

---Writes values by a layout: `%d %i %u %c %o %x %X %e %E %f %g %G %q %s %%`, with the flags, width and precision
---of C (two digits each). `%s` takes texts, numbers and values with `__tostring`; as in Lua 5.1 it ends at a zero
---byte if it has a precision or fewer than 100 bytes. Numbers outside of 64 bits are clamped.
---```lua
---string.format("%-5s|%5.1f|%03d|%x", "ab", 3.14159, 7, 255) --> ab   |  3.1|007|ff
---string.format("%q", 'say "hi"') --> "say \"hi\""
---string.format("%s", setmetatable({}, { __tostring = function() return "order 7" end })) --> order 7
---```
---@param layout string|number
---@param ... any
---@return string
function string.format(layout, ...) end

---An iterator over all matches: at each call the captures of the next one, or the whole match if the pattern
---has no captures. `^` is an ordinary character here.
---```lua
---local words = {}
---for word in ("one two three"):gmatch("%a+") do words[#words + 1] = word end
---table.concat(words, ",") --> one,two,three
---local next_pair = ("a=1, b=2"):gmatch("(%w+)=(%w+)")
---print(next_pair()) --> a	1
---print(next_pair()) --> b	2
---```
---@param s string|number
---@param pattern string|number
---@return fun(): string|integer ...
function string.gmatch(s, pattern) end

---The old name of `gmatch`.
---```lua
---("a1"):gfind("%d")() --> 1
---```
---@deprecated
---@param s string|number
---@param pattern string|number
---@return fun(): string|integer ...
function string.gfind(s, pattern) end

---Replaces the matches of a pattern, at most n of them; returns the text and how many there were. The replacement
---is a text, in which `%1` to `%9` are captures, `%0` is the match and `%%` a percent sign; a table, looked up by
---the first capture; or a function, called with the captures, which may wait. nil and false keep the match.
---```lua
---print(("hello world"):gsub("o", "0")) --> hell0 w0rld	2
---print(("hello world"):gsub("(%w+) (%w+)", "%2 %1")) --> world hello	1
---print(("$a $b"):gsub("%$(%w+)", { a = "x" })) --> x $b	2
---print(("abc"):gsub("%w", string.upper, 2)) --> ABc	2
---```
---@async
---@param s string|number
---@param pattern string|number
---@param replacement string|number|table|fun(...: string|integer): string|number|nil|false
---@param n? integer
---@return string
---@return integer count
function string.gsub(s, pattern, replacement, n) end

---The number of bytes.
---```lua
---string.len("schön") --> 6
---```
---@param s string|number
---@return integer
function string.len(s) end

---With A to Z in lower case.
---```lua
---string.lower("ÄB1") --> Äb1
---```
---@param s string|number
---@return string
function string.lower(s) end

---The captures of the first match of a pattern from position init (1) on, or the whole match if it has none; nil
---without a match.
---
---A pattern is a row of: a character; `.` (any); `%a` letters, `%c` control, `%d` digits, `%l` lower, `%p` punctuation,
---`%s` space, `%u` upper, `%w` letters and digits, `%x` hexadecimal, `%z` zero (in upper case: everything else); `%` and a
---sign (itself); `[set]`, `[^set]`, with ranges `a-z`; each of these may be followed by `*`, `+` (greedy), `-` (lazy) or `?`;
---`(…)` captures, `()` captures the position, `%1` is what a capture was, `%bxy` balances x and y, `%f[set]` is where the set
---begins. `^` first and `$` last anchor. A pattern ends at its first zero byte.
---```lua
---print(("2024-05-17"):match("(%d+)-(%d+)-(%d+)")) --> 2024	05	17
---("f(a(b))c"):match("%b()") --> (a(b))
---("  trim  "):match("^%s*(.-)%s*$") --> trim
---("THE (quick) fox"):match("%f[%a]%l+") --> quick
---```
---@param s string|number
---@param pattern string|number
---@param init? integer
---@return string|integer|nil ...
function string.match(s, pattern, init) end

---The text n times.
---```lua
---("ab"):rep(3) --> ababab
---```
---@param s string|number
---@param n integer
---@return string
function string.rep(s, n) end

---The bytes from the last to the first.
---```lua
---("abc"):reverse() --> cba
---```
---@param s string|number
---@return string
function string.reverse(s) end

---The bytes from position i to j (-1).
---```lua
---("abcdef"):sub(2, 4) --> bcd
---("abcdef"):sub(-2) --> ef
---```
---@param s string|number
---@param i integer
---@param j? integer
---@return string
function string.sub(s, i, j) end

---With a to z in upper case.
---```lua
---("abc1"):upper() --> ABC1
---```
---@param s string|number
---@return string
function string.upper(s) end
