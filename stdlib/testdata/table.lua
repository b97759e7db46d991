-- insert and remove
local t = {}
table.insert(t, "a")
table.insert(t, 1, "b")
table.insert(t, 2, "c")
assert(table.concat(t) == "bca" and #t == 3)
assert(table.remove(t, 1) == "b" and table.remove(t) == "a" and table.remove(t) == "c" and #t == 0)
assert(select("#", table.remove(t)) == 0 and select("#", table.remove(t, 5)) == 0)
---
-- remove after the last was set to nil
local t = { 1, 2, 3 }
t[#t] = nil
assert(table.remove(t) == 2 and #t == 1 and table.remove(t, 0) == nil and #t == 1)
---
-- a position below 1 moves every key
local t = { "a", "b" }
table.insert(t, 0, "z")
assert(t[0] == "z" and t[1] == nil and t[2] == "a" and t[3] == "b")
---
-- a position behind the end
local t = { "a" }
table.insert(t, 3, "c")
assert(t[3] == "c" and t[2] == nil)
---
-- insert with too many arguments
table.insert({}, 1, 2, 3) --- error: ^wrong number of arguments to 'insert'$
---
-- insert into nothing
table.insert(nil, 1) --- error: ^bad argument #1 to 'insert' \(table expected, got nil\)$
---
-- concat
assert(table.concat({}) == "" and table.concat({}, "x") == "" and table.concat({ 1, "b", 2.5 }, "-") == "1-b-2.5")
assert(table.concat({ 1, 2, 3 }, ",", 2) == "2,3" and table.concat({ 1, 2, 3 }, ",", 2, 2) == "2")
assert(table.concat({ 1, 2 }, ",", 3) == "" and table.concat({ [0] = "z", "a" }, "", 0, 1) == "za")
---
-- concat of something else
table.concat({ 1, {}, 3 }) --- error: ^invalid value \(table\) at index 2 in table for 'concat'$
---
-- concat past the end
table.concat({ 1 }, ",", 1, 2) --- error: ^invalid value \(nil\) at index 2 in table for 'concat'$
---
-- sort
local t = { 3, 1, 2, -1, 10, 2 }
table.sort(t)
assert(table.concat(t, " ") == "-1 1 2 2 3 10")
table.sort(t, function(a, b) return a > b end)
assert(table.concat(t, " ") == "10 3 2 2 1 -1")
local words = { "b", "a\0b", "a", "", "a\0a", "B" }
table.sort(words)
assert(words[1] == "" and words[2] == "B" and words[3] == "a" and words[4] == "a\0a" and words[6] == "b")
---
-- sort is stable
local t = {}
for i = 1, 1000 do t[i] = { key = i * 7 % 10, i = i } end
table.sort(t, function(a, b) return a.key < b.key end)
for i = 2, 1000 do
  assert(t[i - 1].key < t[i].key or t[i - 1].key == t[i].key and t[i - 1].i < t[i].i)
end
---
-- sort by __lt
local meta = { __lt = function(a, b) return a.v < b.v end }
local t = {}
for i = 1, 20 do t[i] = setmetatable({ v = i * 7 % 20 }, meta) end
table.sort(t)
for i = 2, 20 do assert(t[i - 1].v <= t[i].v) end
---
-- sort of what has no order
local ok, e = pcall(table.sort, { 1, "x" })
assert(not ok and e == "attempt to compare string with number", e)
ok, e = pcall(table.sort, { {}, {} })
assert(not ok and e == "attempt to compare two table values", e)
---
-- an order that is none
table.sort({ 1, 2, 3 }, function() return true end) --- error: ^invalid order function for sorting$
---
-- a failing order leaves the list as it was
local t = { 3, 1, 2 }
assert(not pcall(table.sort, t, function() error("x") end) and table.concat(t) == "312")
---
-- waiting inside sort: a coroutine yields through it
local co = coroutine.wrap(function()
  local t = { 2, 1 }
  table.sort(t, function(a, b) return coroutine.yield(a, b) end)
  return "done"
end)
local a, b = co()
while a ~= "done" do a, b = co(a < b) end
---
-- the old functions
assert(table.getn({ 1, 2 }) == 2 and table.maxn({ 1, [10] = 2, [2.5] = 3, x = 4 }) == 10 and table.maxn({}) == 0)
local seen = {}
table.foreach({ a = 1, "x" }, function(k, v) seen[#seen + 1] = k .. v end)
assert(table.concat(seen, " ") == "1x a1")
assert(table.foreachi({ 5, 6, 7 }, function(i, v) if v == 6 then return i end end) == 2)
---
-- setn
table.setn({}, 3) --- error: ^'setn' is obsolete$
---
-- pack and unpack
local t = table.pack(nil, 2, nil)
assert(t.n == 3 and t[2] == 2 and select("#", table.unpack(t, 1, t.n)) == 3)
---
-- a list may become shorter while it is traversed: the fields behind it are still seen
local t = { 1, 2, 3, a = 4, b = 5 }
local sum = 0
for _, v in pairs(t) do
  sum = sum + v
  if v <= 3 then
    t[#t] = nil
    table.remove(t)
    table.remove(t)
  end
end
assert(sum == 10 and #t == 0)
---
-- a list that is emptied from its end is not looked through each time
local self = { items = {} }
for i = 1, 30000 do self.items[#self.items + 1] = i end
while #self.items > 0 do self.items[#self.items] = nil end
assert(next(self.items) == nil)
