local json = require "dkjson"
local order = { keyorder = { "a", "b", "c", "name", "list", "n" } }
local function show(...)
  local out = {}
  for i = 1, select("#", ...) do out[i] = tostring((select(i, ...))) end
  print(table.concat(out, "\t"))
end
show(json.encode({ a = 1, b = "two", c = { 1, 2, 3, json.null } }, order))
show(json.encode({ name = "x", list = { { n = 1 }, { n = 2.5 } } }, { indent = true, keyorder = order.keyorder }))
show(json.encode({}), json.encode(setmetatable({}, { __jsontype = "object" })), json.encode(setmetatable({}, { __jsontype = "array" })))
for _, v in ipairs { 0, -1, 1.5, 1e10, 1e100, 0.1, 123456789012, 1 / 3, 2 ^ 53, -1e-7 } do show(json.encode(v)) end
for _, s in ipairs { "", "plain", "quote\"", "back\\slash", "\n\t\r\b\f", "\0\1\31", "\195\164", "\226\130\172", "\240\157\132\158", "\127" } do
  show(json.encode(s), json.quotestring(s), json.decode(json.encode(s)) == s)
end
for _, s in ipairs { "1", "-0.5e3", "true", "null", '"a\\u00e4\\ud834\\udd1e\\n"', "[1,[2,[3]]]", '{"a":{"b":[]}}', " [ 1 , 2 ] ", "/* c */ [1] // x", "[1,2", "{a:1}", "", "[1 2]", '"abc', "nul", '{"a":1,}' } do
  local v, pos, err = json.decode(s, 1, "NULL")
  show(s, type(v), type(v) == "table" and json.encode(v) or v, pos, err)
end
show(pcall(json.encode, { [{}] = 1 }))
show(json.encode({ f = 1, g = print }, { exception = function(reason, value, state, msg) return json.quotestring(reason .. " " .. type(value)) end }) ~= nil)
local loop = {} loop[1] = loop
show(pcall(json.encode, loop))
show(json.encode(setmetatable({}, { __tojson = function(self, state) return "custom" end })))
show(json.encode({ 1, nil, 3 }), json.encode({ [1] = 1, [2] = 2, [4] = 4 }))
local d = json.decode('{"x":[1,2],"y":{}}')
show(getmetatable(d).__jsontype, getmetatable(d.x).__jsontype, #d.x)
show(json.decode('[null]', 1, nil)[1], json.decode('[null]', 1, false)[1])
show(json.version, json.using_lpeg)
