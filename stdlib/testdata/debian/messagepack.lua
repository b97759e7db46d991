local mp = require "MessagePack"
local function hex(s) return (s:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) end
for _, v in ipairs { 0, 1, 127, 128, 255, 256, 65535, 65536, 4294967295, 4294967296, -1, -32, -33, -128, -129, -32768, -32769, -2147483648, 1.5, -0.1, 1e300, 2 ^ 53, 1 / 0, "", "abc", ("x"):rep(40), ("y"):rep(300), true, false } do
  local ok, packed = pcall(mp.pack, v) print(type(v) == "string" and #v or v, ok, ok and hex(packed):sub(1, 60) or packed, ok and mp.unpack(packed) == v)
end
print(hex(mp.pack(nil)), hex(mp.pack { 1, 2, { 3 } }), hex(mp.pack { a = 1 }), hex(mp.pack {}), #mp.pack(setmetatable({}, {})))
local t = mp.unpack(mp.pack { list = { 1, 2, 3 }, s = "x", n = -5.25, deep = { { { true } } } }) print(t.list[3], t.s, t.n, t.deep[1][1][1])
for _, s in ipairs { "\193", "\146\1", "\217", "\203\0", "\199", "" } do print(pcall(mp.unpack, s)) end
for _, v in mp.unpacker("\1\2\163abc\192\195") do print(v) end
mp.set_array "with_hole" print(hex(mp.pack { 1, nil, 3 })) mp.set_array "always_as_map" print(hex(mp.pack { 5 })) mp.set_array "without_hole"
mp.set_number "float" print(hex(mp.pack(1.5))) mp.set_number "double" mp.set_string "binary" print(hex(mp.pack "bin")) print(pcall(mp.pack, print)) print(hex(mp.pack(2 ^ 31)), hex(mp.pack(-2 ^ 31)))
