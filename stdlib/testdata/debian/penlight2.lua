-- shows the values of its functions, or the error that one raises
local function show(...)
  local out = {}
  for i = 1, select("#", ...) do
    local values = { pcall((select(i, ...))) }
    for j = 2, math.max(2, table.maxn(values)) do
      values[j - 1] = type(values[j]) == "function" and "function" or (tostring(values[j]):gsub("0x%x+", "0x"))
    end
    out[i] = table.concat(values, " ", 1, math.max(1, table.maxn(values) - 1))
  end
  print(table.concat(out, "\t"))
end
local pretty, data, config, xml, Date, comp, stringio, input, lapp, strict, types, compat, List = require "pl.pretty", require "pl.data", require "pl.config", require "pl.xml", require "pl.Date", require "pl.comprehension".new(), require "pl.stringio", require "pl.input", require "pl.lapp", require "pl.strict", require "pl.types", require "pl.compat", require "pl.List"
local w = function(v) return pretty.write(v, "") end
local d = data.read(stringio.open "name,age\nann,30\nbob,25\ncat,41\n")
show(function() return w(d.fieldnames) end, function() return d[1][1] end, function() return d[2][2] + 1 end, function() return #d end, function() return w(d:column_by_name "age") end) for n, a in d:select "name,age where age > 26 sort by age" do show(function() return n end, function() return a end) end show(function() return w(d:copy_select "name where age < 40") end) local dd = data.new({ { 1, 2 }, { 3, 4 } }, { "x", "y" }) for x, y in dd:select "x,y" do print(x + y) end
local q = data.query(d, { fields = { "name" }, where = function(t) return true end })
show(function() return q ~= nil and q() end)
local c = config.read(stringio.open "# comment\nsize=10\nname = hello world\nlist=1,2,3\n[section]\nkey=val\nflag=true\n")
show(function() return c.size end, function() return c.name end, function() return w(c.list) end, function() return c.section.key end, function() return c.section.flag end)
show(function() return w(config.read(stringio.open "a b\nc 2\n", { keysep = " " }).c) end)
local doc = xml.parse "<root a='1'><item id='x'>text &amp; more</item><item id='y'/><!-- c --></root>" show(function() return doc end, function() return doc.tag end, function() return doc.attr.a end, function() return #doc end, function() return doc[1][1] end, function() return doc:child_with_name "item".attr.id end)
show(function() return xml.tostring(doc, "", "  ") end) for e in doc:childtags() do show(function() return e.tag end, function() return e.attr.id end) end show(function() return doc:get_elements_with_name "item"[2].attr.id end) local b, i = xml.tags "b,i" show(function() return b { "x", i "y" } end, function() return xml.xml_escape "<a&b>" end, function() return xml.is_tag(b "q") end, function() return xml.compare(b "x", b "x") end)
show(function() return xml.parse "<p>{{x}}<t n='$n'/></p>" ~= nil end) local tpl = xml.parse "<r><e n='$name'>$val</e></r>" show(function() return pcall(xml.parse, "<a><b></a>") end)
show(function() return xml.elem("li", { "one", class = "c" }) end, function() return xml.new("x"):addtag "y":text "z":top() end)
local t = Date { year = 2020, month = 2, day = 28, hour = 12, utc = true } show(function() return t:year() end, function() return t:month() end, function() return t:day() end, function() return t:weekday_name() end, function() return t:month_name() end, function() return t:last_day():day() end) t:add { day = 2 } show(function() return t:day() end, function() return t:month() end)
show(function() return Date.Format "yyyy-mm-dd":tostring(t) end, function() return Date.Format "dd/mm/yyyy":parse "05/11/2019":month() end, function() return Date { year = 2020, month = 1, day = 1 } < t end, function() return tostring(t:diff(Date { year = 2020, month = 2, day = 28, hour = 12, utc = true })) end)
show(function() return w(comp "x^2 for x=1:5" ()) end, function() return w(comp "x for x in _1 if x % 2 == 0" { 1, 2, 3, 4 }) end, function() return comp "sum(x) for x=1:10" () end, function() return w(comp "{x,y} for x=1:2 for y=x:2" ()) end, function() return comp "max(x*2) for x" { 1, 5, 3 } end, function() return w(comp "table(x, x*x) for x=1:2" ()) end)
local f = stringio.open "line 1\n2 3\nrest" show(function() return f:read() end, function() return f:read "*n" end, function() return f:read "*n" end, function() return f:read "*a" end, function() return f:read() end) f = stringio.open "a\nb\n" for l in f:lines() do print(l) end local o = stringio.create() o:write("x", 1) o:writef("%d-%s", 5, "q")
show(function() return o:value() end) f = stringio.open "abcdef" f:seek("set", 3)
show(function() return f:read(2) end, function() return f:seek "cur" end)
lapp.slack = false local args = lapp([[
Test program
  -v,--verbose  be loud
  -n,--num (default 5)  a number
  -s,--str (default 'abc') a text
  <file> (string) a file
  <rest...> (default none) others
]], { "-v", "-n", "7", "in.txt", "x", "y" })
show(function() return args.verbose end, function() return args.num end, function() return args.str end, function() return args.file end, function() return w(args.rest) end)
show(function() return compat.lua51 end, function() return compat.is_windows end, function() return compat.jit end, function() return compat.execute ~= nil end, function() return compat.load("return x", "c", "t", { x = 5 })() end, function() return select("#", compat.getfenv and compat.getfenv(1)) end, function() return pcall(compat.load, nil) end)
show(function() return compat.load("x +", "=c") end)
show(function() return compat.setfenv(function() return zz end, { zz = 9 })() end)
local M = strict.module("m", { known = 1 })
show(function() return M.known end, function() return pcall(function() return M.unknown end) end) M.new = 2 show(function() return M.new end, function() return pcall(function() M.other = 1 end) end)
show(function() return pcall(function() return undeclared_global end) end) rawset(_G, "declared", 1) print(declared)
show(function() return require "pl.import_into" {} .tablex ~= nil end, function() return require "pl.utils".import == nil end, function() return (pcall(require, "pl.nosuch")) end) local tx = require "pl.tablex" show(function() return pcall(tx.range, "a", {}) end, function() return pcall(List.new, 5) end, function() return pcall(function() return List { 1 } .. 5 end) end)
show(function() return pretty.write({ [1] = 1, [3] = 3, x = { y = { z = {} } }, ["a b"] = true, ["end"] = 0 }, "  ") end) local cyc = {} cyc.me = cyc show(function() return w(cyc) end)
show(function() return pcall(pretty.write, { print }) end) 
