---@meta json

---JSON for the outside world, the same in workflow code and in activities.
---
---| Lua | JSON |
---| --- | --- |
---| `nil`, `json.null` | `null` |
---| a table with the keys 1 to n | an array |
---| a table with string keys | an object, in the order of `pairs` |
---| `{}` | `[]`; `json.object({})` is `{}` |
---
---Back: `null` in an object is an absent field, so that `if x.field then` means what it says; in an array it is
---`json.null`, as lists have no holes; alone it is nil. An empty object stays one when it is encoded again.
---@class jsonlib
---@field null userdata the value of `null`
local json = {}

---The value of `null` where nil cannot stand: inside a list, or for a field that shall be written. It is equal only
---to itself, and it is true in a condition.
---```lua
---json.encode({ 1, json.null, 3 }) --> [1,null,3]
---json.decode("[null]")[1] == json.null --> true
---tostring(json.null) --> null
---```
---@type userdata
json.null = nil

---@class json.EncodeOptions
---@field indent? integer|string|boolean spaces of one level (`true` is 2), or the text itself: several lines instead of one
---@field sort? boolean keys in alphabetical order instead of that of `pairs`

---Writes a value as JSON. Functions, coroutines, cycles, NaN, infinities, holes in lists, mixed keys and strings that are
---not UTF-8 are errors that name the place.
---```lua
---json.encode({ name = "a", tags = { "x", "y" } }) --> {"name":"a","tags":["x","y"]}
---json.encode({ b = 1, a = 2 }, { sort = true }) --> {"a":2,"b":1}
---print(json.encode({ a = { 1, {} } }, { indent = 2 }))
-----> {
----->   "a": [
----->     1,
----->     []
----->   ]
-----> }
---pcall(json.encode, { items = { print } }) --> false	json.encode: value.items[1]: a function cannot be written as JSON: only nil, booleans, numbers, strings and tables of them can
---```
---@param value any
---@param options? json.EncodeOptions
---@return string
function json.encode(value, options) end

---@class json.DecodeOptions
---@field keep_null? boolean `null` in an object is `json.null` instead of an absent field

---Reads one JSON text. Integers beyond 2^53 lose digits: ids of that size should be strings. What is no JSON is an
---error with line and column.
---```lua
---json.decode('{"a":[1,2,{"b":true}]}').a[3].b --> true
---json.decode('{"a":null}').a --> nil
---json.decode('{"a":null}', { keep_null = true }).a --> null
---json.encode(json.decode('{"a":{},"b":[]}')) --> {"a":{},"b":[]}
---pcall(json.decode, '[1,') --> false	json.decode: not JSON at line 1, column 4 (byte 3): expected a value, found the end of the text
---```
---@param text string
---@param options? json.DecodeOptions
---@return any
function json.decode(text, options) end

---Marks a table as an array, whatever it holds, and returns it. With n it has at least n items: nil among them is
---written as null. The mark is a metatable with the field `__jsontype`.
---```lua
---json.encode(json.array({})) --> []
---json.encode(json.array({ 1, nil, 3 }, 3)) --> [1,null,3]
---pcall(json.encode, json.array({ a = 1 })) --> false	json.encode: value: it is marked by json.array but has the key "a"
---```
---@generic T: table
---@param t T
---@param n? integer
---@return T
function json.array(t, n) end

---Marks a table as an object, so that it is `{}` when it is empty, and returns it.
---```lua
---json.encode({ options = json.object({}), items = {} }) --> {"options":{},"items":[]}
---```
---@generic T: table
---@param t T
---@return T
function json.object(t) end

return json
