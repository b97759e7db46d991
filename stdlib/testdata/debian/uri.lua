local URI = require "uri"

local function show(u, err)
  if not u then print("no", err) return end
  print(tostring(u), u:scheme(), u:userinfo(), u:host(), u:port(), u:path(), u:query(), u:fragment(), u:is_relative(), u:uri())
end

for _, text in ipairs { "http://User@Example.COM:80/a/./b/../c?x=1#top", "HTTPS://example.com", "ftp://ftp.example.com/file;type=a", "file:///etc/passwd", "data:text/plain;charset=utf-8,hello%20there",
  "urn:isbn:0-306-40615-2", "urn:issn:0028-0836", "urn:oid:1.2.840", "pop://user;auth=*@mail.example.com", "telnet://host:23/", "rtsp://host/stream", "mailto:someone@example.com", "../up/down", "http://[::1]:8080/",
  "http://1.2.3.4/%7Euser/", "http://exa mple.com/", "http://example.com:99999/", "", "http://example.com/?q=%E4%BD%A0", "urn:isbn:1", "data:,%41" } do
  show(URI:new(text))
end

local base = "http://a/b/c/d;p?q"
for _, relative in ipairs { "g:h", "g", "./g", "g/", "/g", "//g", "?y", "g?y", "#s", "g#s", ";x", "g;x", "", ".", "./", "..", "../", "../g", "../..", "../../g", "../../../g", "/./g", "/../g", "g.", ".g", "g..", "..g", "./../g", "./g/.", "g/./h", "g/../h", "g;x=1/./y", "g?y/../x" } do
  print(relative, tostring(URI:new(relative, base)))
end

local u = assert(URI:new("http://example.com/path"))
print(u:host("other.org"), u:host(), u:port(8080), u:port(), tostring(u))
print(u:path("/new path"), tostring(u))
print(u:query("a=1&b=2"), u:fragment("part"), tostring(u))
print(pcall(u.host, u, "bad host"))
print(pcall(u.scheme, u, "9x"))
local other = URI:new(tostring(u))
other:scheme("https")
print(tostring(u), tostring(other), u == other, URI.eq(u, tostring(u)), URI.eq("http://EXAMPLE.com/", "http://example.com"))
local rel = URI:new("http://example.com/a/b/c"):relativize("http://example.com/a/d")
print(rel)
local r = URI:new("http://example.com/a/b/c")
r:relativize("http://example.com/a/d")
print(tostring(r))
r:resolve("http://example.com/z/")
print(tostring(r))
local isbn = URI:new("urn:isbn:0306406152")
print(isbn:isbn_digits(), tostring(isbn))
local f = URI:new("file://localhost/a%20b/c")
print(f:filesystem_path("unix"), tostring(URI:new("file:///"):path()))
