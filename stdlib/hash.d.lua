---@meta hash

---Checksums, as lower-case hexadecimal text. Those of strings are the same everywhere and may be used in workflow code;
---`hash.file` belongs in an activity.
---@class hashlib
local hash = {}

---```lua
---hash.crc32("hello") --> 3610a686
---```
---@param data string
---@return string
function hash.crc32(data) end

---```lua
---hash.md5("hello") --> 5d41402abc4b2a76b9719d911017c592
---```
---@param data string
---@return string
function hash.md5(data) end

---```lua
---hash.sha1("hello") --> aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d
---```
---@param data string
---@return string
function hash.sha1(data) end

---```lua
---hash.sha256("hello") --> 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
---```
---@param data string
---@return string
function hash.sha256(data) end

---The checksum of a file, which is read in pieces. Raises `FileError` if it cannot be read.
---```lua
---local name = dir .. "/f"
---require("fs").write(name, "hello")
---hash.file(name, "crc32") --> 3610a686
---hash.file(name) == hash.sha256("hello") --> true
---pcall(hash.file, name, "sha265") --> false	hash.file: unknown algorithm 'sha265' (did you mean 'sha256'?); there are crc32, md5, sha1 and sha256
---```
---@param path string
---@param algorithm? "crc32"|"md5"|"sha1"|"sha256" sha256 if there is none
---@return string
function hash.file(path, algorithm) end

return hash
