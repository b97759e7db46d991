local cli = require "cliargs" cli:set_name "prog" cli:set_description "does it" cli:argument("IN", "input file") cli:splat("REST", "others", nil, 3) cli:option("-o, --output=FILE", "where", "out.txt") cli:option("-n NUM", "count") cli:flag("-v, --[no-]verbose", "loud", true) cli:flag("-q", "quiet")
for _, a in ipairs { { "a", "b", "c" }, { "-o", "x", "a" }, { "--output=y", "a", "-q" }, { "--no-verbose", "a" }, {}, { "--nope", "a" }, { "-n" }, { "a", "b", "c", "d", "e" } } do
  local r, e = cli:parse(a, true) if r then print(r.IN, type(r.REST) == "table" and table.concat(r.REST, ",") or r.REST, r.output, r.o, r.n, r.v, r.verbose, r.q) else print("error", e) end
end
print(cli.printer.generate_usage()) print(cli.printer.generate_help())
local inifile = require "inifile" print(type(inifile.parse), pcall(inifile.parse, "a=1\n[s]\nb=2", "memory"))
