package stdlib

import (
	"embed"
	"io/fs"
)

//go:embed *.d.lua
var declarations embed.FS

// Declarations is the LuaCATS declaration file of each module: what an editor completes from, what `:help`
// shows, and the only documentation of the modules. Their examples are executed by the tests.
func Declarations() fs.FS { return declarations }
