package stdlib

import (
	"embed"
	"io/fs"
	"slices"
)

//go:embed *.d.lua
var declarations embed.FS

// Declarations is the LuaCATS declaration file of each module: what an editor completes from, what `:help`
// shows, and the only documentation of the modules. Their examples are executed by the tests.
func Declarations() fs.FS { return declarations }

// ForSpecs reports whether a declaration file is about what only spec files have.
func ForSpecs(file string) bool {
	return slices.Contains([]string{"assert.d.lua", "flow_explore.d.lua", "flow_test.d.lua", "spec.d.lua", "spy.d.lua"}, file)
}
