for _, f in ipairs{"%d","%5d","%-5d|","%05d","%+d","% d","%i","%u","%x","%X","%#x","%o","%#o","%c","%e","%E","%f","%g","%G","%.0f","%.3f","%10.2f","%-10.2f|","%+.1e","%#.0f","%.20f","%.14g","%5.1s|","%s","%q","%%"} do
  for _, v in ipairs{0, 1, -1, 65, 3.7, -3.7, 255, 1e15, 2^31, 2^53, -2^31} do
    io.write(f, "=", string.format(f, v), " ") end print() end
print(pcall(string.format, "%d", "x")) print(string.format("%d", "10")) print(pcall(string.format, "%d")) print(pcall(string.format, "%y", 1))
print(pcall(string.format, "%", 1)) print(pcall(string.format, "%1234d", 1)) print(pcall(string.format, "%.123d", 1)) print(pcall(string.format, "%-+ #0-d", 1))
print(string.format("%s %s", 1, 2, 3)) print(pcall(string.format, "%s %s", 1)) print(pcall(string.format, "%s", nil)) print(pcall(string.format, "%s", {}))
print(string.format("%q", 'a "b" \n \r \0 \\ \t')) print(string.format("%5s|%-5s|%.2s|%5.2s|", "abc", "abc", "abc", "abc"))
print(string.format("%s", "a\0b") == "a\0b", #string.format("%s", "a\0b"), #string.format("%10s", "a\0b"))
print(string.format("%c%c%c", 76, 117, 97), #string.format("%c", 0), #string.format("%5c", 0))
print(string.format("%g %g %g", 1e300*1e10, -1e300*1e10, 0.1), string.format("%.3d", 5), string.format("%+.3d", 5), string.format("%5.3d|", 5))
print(string.format("%.0s|", "abc"), string.format("%.s|", "abc"), string.format("%.f", 2.5), string.format("%.f", 3.5), string.format("%.0e", 12345))
print(string.format("%099d", 1), #string.format("%99.99f", 1/3))
print(string.format("%x", -1), string.format("%d", -2^63), string.format("%u", -1))
print(string.format("%i %i", 3.99, -3.99), string.format("%5.1f|% .3f|%+g", 2.25, 1/3, 100000), string.format("%#g|%#x|%#X|%#o", 1, 0, 255, 8))
