package workflow

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// Program is a script that is ready to run: its sources, compiled once, and what it declares. It is immutable and shared by all
// its runs.
type Program struct {
	sources    history.Sources
	hash       string
	whole      bool  // the file declares no workflow, so it is one
	raised     error // by the top level, if it is the workflow and had no input
	session    bool  // there is no file: what runs is typed in
	workflows  []string
	activities []string
	main       *vm.Chunk
	modules    map[string]*vm.Chunk // by the name for require
}

// LoadProgram reads a script, named by its path in fsys, with everything that it can require from there, compiles it, and finds
// out what it declares. A *vm.SyntaxError tells what does not compile, a *stdlib.Error what its top level raises.
func LoadProgram(fsys fs.FS, file string) (*Program, error) { return LoadProgramWith(fsys, file, nil) }

// Library adds to what a script can use, in the state of one run, before the script is loaded there.
type Library func(s *vm.State, flow *stdlib.Flow)

// LoadProgramWith is LoadProgram of a script that needs a library. Its runs need one, too: Config.Library.
func LoadProgramWith(fsys fs.FS, file string, library Library) (*Program, error) {
	c, err := collect(fsys, file)
	if err != nil {
		return nil, err
	}
	return newProgram(history.Sources{Main: file, Files: c.files}, c, library)
}

// NewProgram makes a program of the sources that a run was started with. Without a Main it is that of a session: it waits for
// ChunkEntered events, and runs each as a branch of the root.
func NewProgram(sources history.Sources) (*Program, error) {
	if sources.Main == "" {
		return &Program{sources: sources, hash: sources.Hash(), session: true, workflows: []string{sessionName}}, nil
	}
	c := &collector{fsys: files(sources.Files), files: map[string]string{}, chunks: map[string]*vm.Chunk{}}
	if _, err := c.literal(sources.Main); err != nil {
		return nil, err
	}
	return newProgram(sources, c, nil)
}

func newProgram(sources history.Sources, c *collector, library Library) (*Program, error) {
	p := &Program{sources: sources, hash: sources.Hash(), main: c.chunks[sources.Main], modules: map[string]*vm.Chunk{}}
	for file, chunk := range c.chunks {
		if file != sources.Main {
			p.modules[moduleName(file)] = chunk
		}
	}
	if err := p.discover(c.declares, library); err != nil {
		return nil, err
	}
	return p, nil
}

// Hash identifies the program by the content of its sources.
func (p *Program) Hash() string { return p.hash }

// Sources are what travels with a run. Not to be changed.
func (p *Program) Sources() history.Sources { return p.sources }

// Workflows are the names of the declared workflows, in the order of the script; of a file that declares none, its own.
func (p *Program) Workflows() []string { return slices.Clone(p.workflows) }

// Activities are the names of the activities that the script implements.
func (p *Program) Activities() []string { return slices.Clone(p.activities) }

// Lines are those of each file in which something is done: what Config.Cover can be told of.
func (p *Program) Lines() map[string][]int {
	lines := map[string][]int{}
	if p.main != nil {
		lines[p.main.Name] = p.main.Lines()
	}
	for _, chunk := range p.modules {
		lines[chunk.Name] = chunk.Lines()
	}
	return lines
}

// Open adds to a state what the program is made of, and returns its top level: for those that run its activities.
func (p *Program) Open(s *vm.State) *lua.LFunction {
	for name, chunk := range p.modules {
		s.PreloadChunk(name, chunk)
	}
	return s.Load(p.main)
}

// Files is the file system in which require looks for what is not known to be required: vm.Config.Modules.
func (p *Program) Files() fs.FS { return files(p.sources.Files) }

// choose finds the workflow to run; "" is the only one.
func (p *Program) choose(name string) (string, error) {
	switch {
	case p.session && name != "": // declared by what is typed
		return name, nil
	case name == "" && len(p.workflows) == 1:
		return p.workflows[0], nil
	case name == "":
		return "", fmt.Errorf("workflow: %s declares several workflows: say which of %s", p.sources.Main, strings.Join(p.workflows, ", "))
	case slices.Contains(p.workflows, name):
		return name, nil
	}
	return "", fmt.Errorf("workflow: %s declares no workflow %q; it has %s", p.sources.Main, name, strings.Join(p.workflows, ", "))
}

// ownName is what a file that declares no workflow is called.
func (p *Program) ownName() string {
	return strings.TrimSuffix(path.Base(p.sources.Main), ".lua")
}

// open makes the state of one run, with everything that the script can require.
func (p *Program) open(config vm.Config, tree *scheduler.Tree, outside stdlib.Outside, library Library) (*vm.State, *stdlib.Flow) {
	if config.Modules == nil {
		config.Modules = p.Files()
	}
	s := vm.New(config)
	stdlib.OpenJSON(s)
	stdlib.OpenHash(s, nil)
	stdlib.OpenRefused(s, stdlib.ActivityModules[:]...)
	flow := stdlib.OpenFlow(s, tree, outside)
	openLazily(s, outside, flow)
	if library != nil {
		library(s, flow)
	}
	return s, flow
}

// openLazily puts the libraries off until a script looks into them: many runs need none.
func openLazily(s *vm.State, outside stdlib.Outside, flow *stdlib.Flow) {
	var text *lua.LTable
	text = s.Lazy("string", func() {
		stdlib.OpenString(s)
		s.SetStringMethods(text)
	})
	s.SetStringMethods(text)
	s.Lazy("math", func() { stdlib.OpenMath(s, flow.Random) })
	started := outside.Now()
	s.Lazy("os", func() { stdlib.OpenOS(s, started, outside.Now) })
	unpack := s.Globals().RawGetString("unpack")
	s.Lazy("table", func() {
		stdlib.OpenTable(s)
		s.Globals().RawGetString("table").(*lua.LTable).RawSetString("unpack", unpack) // whatever the script has made of the global
	})
}
