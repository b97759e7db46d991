for _, s in ipairs{"10", " 10 ", "0x10", "0X1f", "1e5", "1E5", "1e+5", "1e-5", ".5", "5.", ".", "", " ", "e5", "0x", "0xg", "1 2", "1_000", "0b1", "010", "-5", "- 5", "--5", "+5", "+-5", "-0x10", "1e", "1e+", "inf", "-inf", "nan", "infinity", "1e400", "\t7\n", "7\0", "0x1p4", "1.5.2", "0x.8", "١"} do
  local r = tonumber(s) io.write(("%q"):format(s), "=", r ~= r and "nan" or tostring(r), " ") end print()
for _, a in ipairs{{"ff",16},{"FF",16},{"0xff",16},{"zz",36},{"12",2},{"101",2},{"777",8},{"8",8},{"",10},{" 11 ",2},{"11x",16},{"1.5",10},{"1e1",16},{"7fffffff",16},{"+5",8},{"10",10},{"0x10",10},{"1e1",10}, {10,2}, {10.5, 16}} do
  io.write(tostring(tonumber(a[1], a[2])), " ") end print()
print(pcall(tonumber)) print(pcall(tonumber, "1", 1)) print(pcall(tonumber, "1", 37)) print(pcall(tonumber, {}, 10)) print(pcall(tonumber, {}, 16)) print(pcall(tonumber, nil)) print(tonumber(nil)) print(tonumber({}), tonumber(print), tonumber(true))
print("10" + 5, "0x10" + 1, " 5 " * 2, pcall(function() return "a" + 1 end)) print("3" ^ "2", -"2", "7" % "4", 10 .. 20)
print(pcall(function() return {} + 1 end)) print(pcall(function() return 1 + nil end)) print(pcall(function() return "x" .. {} end))
