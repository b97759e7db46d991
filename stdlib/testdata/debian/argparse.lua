local argparse = require "argparse"
local function sorted(t)
  local keys, out = {}, {}
  for k in pairs(t) do keys[#keys + 1] = k end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, k in ipairs(keys) do out[#out + 1] = tostring(k) .. "=" .. (type(t[k]) == "table" and sorted(t[k]) or tostring(t[k])) end
  return "{" .. table.concat(out, ", ") .. "}"
end
local function build()
  local p = argparse("tool", "A tool that does things.", "See the manual.")
  p:argument("input", "Input file."):args("1")
  p:argument("extra", "More files."):args("*")
  p:option("-o --output", "Where to write.", "out.txt"):argname("<file>")
  p:option("-n --number"):convert(tonumber):default("3")
  p:option("-l --level"):choices { "low", "high" }
  p:option("-D --define"):count("*"):args(2)
  p:option("--pair"):args("1-2"):action("append"):init({})
  p:flag("-v --verbose", "Say more."):count("0-3"):target("verbosity")
  p:flag("-q --quiet"):action("store_true")
  p:mutex(p:flag("--red"), p:flag("--blue"))
  return p
end
for _, args in ipairs { { "a" }, { "a", "b", "c", "-o", "x" }, { "a", "-n", "7", "-vvv" }, { "a", "--output=y", "-n9" }, { "a", "-D", "k", "v", "-D", "x", "y" }, { "a", "--pair", "1", "2" },
  { "a", "--", "-v" }, { "a", "--level", "low", "-q" }, {}, { "a", "-n", "x" }, { "a", "--level", "mid" }, { "a", "--nope" }, { "a", "--outptu", "x" }, { "a", "--red", "--blue" }, { "a", "-vvvv" },
  { "a", "-D", "k" }, { "a", "-o" }, { "a", "--quiet=1" } } do
  local ok, res = build():pparse(args)
  print(table.concat(args, " "), ok, ok and sorted(res) or res)
end
print(build():get_usage()) print(build():get_help())
local q = argparse "git" :require_command(false) :command_target "command"
q:command("add a", "Add."):argument("path"):args("+")
local c = q:command "commit" c:option "-m --message" c:flag "--amend"
q:group("Group", q:option "--color" :choices { "auto", "never" })
for _, args in ipairs { { "add", "x", "y" }, { "a", "x" }, { "commit", "-m", "msg", "--amend" }, {}, { "psh" }, { "comit" }, { "add" } } do
  local ok, res = q:pparse(args)
  print(table.concat(args, " "), ok, ok and sorted(res) or res)
end
print(q:get_help()) print(c:get_usage())
q:add_complete() print(#q:get_bash_complete() > 100, #q:get_zsh_complete() > 100, #q:get_fish_complete() > 100)
print(q:get_bash_complete())
local r = argparse "x" r:option "-a" :overwrite(false) r:option "-b" :action(function(args, name, v) args[name] = v .. "!" end)
r:argument "n" :convert { one = 1, two = 2 } r:option "--req" :default "z" :defmode "arg" :args "?"
for _, args in ipairs { { "one" }, { "three" }, { "two", "-b", "q" }, { "one", "-a", "1", "-a", "2" }, { "one", "--req" } } do
  local ok, res = r:pparse(args)
  print(table.concat(args, " "), ok, ok and sorted(res) or res)
end
