package flowtest

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/explore"
)

var _ explore.Host = explorer{}

// explorer is the test as flow.explore sees it.
type explorer struct{ world *World }

// Workflow implements explore.Host.
func (e explorer) Workflow(name string, of *lua.FunctionProto) (*workflow.Program, string, error) {
	return e.world.file.find(name, of)
}

// LibraryOf implements explore.Host.
func (e explorer) LibraryOf(p *workflow.Program) workflow.Library { return e.world.libraryOf(p) }
