local check = require "luacheck.check"
local filter = require "luacheck.filter"
local format = require "luacheck.format"
local lexer = require "luacheck.lexer"
local parser = require "luacheck.parser"
local decoder = require "luacheck.decoder"

local sources = {
  "local a, b = 1 return a",
  "x = 1 print(y) local function f(a, b, ...) return a end",
  "for i = 1, 10 do local i = i * 2 if i then end end while true do break end",
  "local t = { a = 1, a = 2, [1] = 'x', 'y' } return t.b.c",
  "local function f() return f end local function g() goto done local x = 1 ::done:: end ::unused::",
  "if x then elseif not x then else end repeat local u = 1 until u",
  "return function(self, ...) local a = ... self.x = a end ",
  "local s = [[long\nstring]] local n = 0x1F + 1e3 .. 'esc\\n\\65\\x41\\u{48}' ",
  "local a = 1; a = 2; a = 3 local b; b = a",
  "syntax error here",
  "local x = 'unfinished",
  "print(a == nil, not a == b, #t == 0) -- luacheck: ignore",
  "local function f(a) if a then return 1 else return 2 end print('never') end return f",
  "\tlocal mixed = 1  \n  \t return mixed ",
  "for k, v in pairs({}) do end local _, used = f() print(used)",
  "local a <const> = 1 return a",
  "module.x.y = 1 string.foo = 2 table.insert(nothing, undefined)",
}
for n, source in ipairs(sources) do
  print("--", n)
  local report = check(source)
  local filtered = filter.filter { report, }
  for _, w in ipairs(filtered[1] or {}) do
    print(w.code, w.line, w.column, w.end_column, w.name, w.msg)
  end
  print((format.format({ { unpack(filtered[1] or {}) , fatal = filtered[1] and filtered[1].fatal } , warnings = 0, errors = 0, fatals = 0 }, { "f.lua" }, { formatter = "plain", color = false, quiet = 0, codes = true, ranges = true, limit = 0 })))
end

for _, source in ipairs(sources) do
  local ok, why = pcall(function()
    local state = lexer.new_state(decoder.decode(source))
    local tokens = {}
    repeat
      local token, value, at = lexer.next_token(state)
      tokens[#tokens + 1] = tostring(token) .. ":" .. tostring(value) .. "@" .. tostring(at)
    until token == "eof" or not token
    print(table.concat(tokens, " "))
  end)
  print(ok, type(why))
  local function dump(node, depth)
    if type(node) ~= "table" then return tostring(node) end
    if depth > 6 then return "..." end
    local out = { tostring(node.tag) }
    for i = 1, #node do out[#out + 1] = dump(node[i], depth + 1) end
    return "(" .. table.concat(out, " ") .. ")"
  end
  local done, tree = pcall(parser.parse, decoder.decode(source), {}, {})
  print(done, done and dump(tree, 0) or tree and tree.msg)
end
