// Package flowtest runs spec files: tests of workflows, written in Lua with describe and it. Each test is a workflow of its own in
// a world of its own, whose time is virtual; the runs that it starts are replayed and compared after every turn.
package flowtest

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/explore"
)

// Suffix is the end of a spec file's name.
const Suffix = "_spec.lua"

// File is a spec file that has been loaded. Its tests may run at the same time.
type File struct {
	Name  string // its path in the folder of scripts
	Tests []Test

	fsys    fs.FS
	program *workflow.Program

	mu     sync.Mutex
	loaded map[string]*loaded // scripts beside it, by file
}

type loaded struct {
	program *workflow.Program
	err     error
}

// Test is one it of a file.
type Test struct {
	stdlib.SpecTest
	number int // from 1
}

// Title is the names of the blocks and of the test.
func (t *Test) Title() string { return strings.Join(t.Names, " ") }

// Load reads a spec file. Modules are looked for from the root of fsys. Errors are those of workflow.LoadProgram.
func Load(fsys fs.FS, name string) (*File, error) {
	var spec *stdlib.Spec
	program, err := workflow.LoadProgramWith(fsys, name, func(s *vm.State, flow *stdlib.Flow) {
		spec = flow.OpenSpec()
		flow.OpenTesting(nil)
		explore.Open(s, flow, nil)
	})
	if err != nil {
		return nil, err
	}
	f := &File{Name: name, fsys: fsys, program: program, loaded: map[string]*loaded{}}
	for i, t := range spec.Tests {
		f.Tests = append(f.Tests, Test{t, i + 1})
	}
	return f, nil
}

// Lines are those of the scripts beside the file, as far as its tests have used them, in which something is done.
func (f *File) Lines() map[string][]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.program.Lines()
	for _, l := range f.loaded {
		if l.program != nil {
			maps.Copy(all, l.program.Lines())
		}
	}
	delete(all, f.Name)
	return all
}

// find is the program that a test means by a workflow's name, or by a file, and the workflow's name in it. of is the function
// that the test's own file, or one that it requires, declares for it.
func (f *File) find(name string, of *lua.FunctionProto) (*workflow.Program, string, error) {
	if of != nil && of.SourceName != f.Name {
		if program, err := f.script(of.SourceName); err == nil && slices.Contains(program.Workflows(), name) {
			return program, name, nil
		}
	}
	switch {
	case name == stdlib.SpecWorkflow: // the test itself
		return nil, "", fmt.Errorf("'%s' is what a test is, and cannot be tested", name)
	case slices.Contains(f.program.Workflows(), name):
		return f.program, name, nil
	case of != nil && of.SourceName == f.Name:
		return nil, "", fmt.Errorf("workflow '%s' is declared inside of the test: declare it at the top level of the file, which each run loads afresh", name)
	case path.Ext(name) == ".lua":
		return f.only(name)
	}
	program, err := f.script(name + ".lua")
	if err == nil && slices.Contains(program.Workflows(), name) {
		return program, name, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", err
	}
	return f.search(name)
}

// only is the one workflow of a file.
func (f *File) only(file string) (*workflow.Program, string, error) {
	program, err := f.script(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		files, _ := workflow.Scripts(f.fsys)
		return nil, "", fmt.Errorf("there is no script '%s'%s; scripts are named from the folder that require looks into", file, stdlib.Suggest(file, files))
	case err != nil:
		return nil, "", err
	case len(program.Workflows()) > 1:
		return nil, "", fmt.Errorf("'%s' declares several workflows: say which of %s, after requiring it", file, strings.Join(program.Workflows(), ", "))
	}
	return program, program.Workflows()[0], nil
}

// search looks at every script of the folder.
func (f *File) search(name string) (*workflow.Program, string, error) {
	files, err := workflow.Scripts(f.fsys)
	if err != nil {
		return nil, "", err
	}
	var known []string
	for _, file := range files {
		if strings.HasSuffix(file, Suffix) {
			continue
		}
		program, err := f.script(file)
		if err != nil {
			continue
		}
		if slices.Contains(program.Workflows(), name) {
			return program, name, nil
		}
		known = append(known, program.Workflows()...)
	}
	return nil, "", fmt.Errorf("no script declares a workflow '%s'%s", name, stdlib.Suggest(name, known))
}

func (f *File) script(file string) (*workflow.Program, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.loaded[file]
	if l == nil {
		l = &loaded{}
		l.program, l.err = workflow.LoadProgram(f.fsys, file)
		f.loaded[file] = l
	}
	return l.program, l.err
}
