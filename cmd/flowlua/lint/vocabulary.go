package lint

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow/flowtest"
)

// Vocabulary is what the standard library's declarations (LuaCATS, .d.lua) say that scripts can use.
type Vocabulary struct {
	Functions map[string]*Function // by qualified name: "flow.spawn"
	Classes   map[string]*Class
	Modules   map[string]*Class // by the name given to require, or the global's name
	Globals   map[string]bool   // what is there without require; also what workflow code has only as an error

	specs *Vocabulary // what spec files can use
}

// Class is a declared ---@class: its fields with their types and its methods.
type Class struct {
	Name    string
	Parents []string
	Fields  map[string]string
	Methods map[string]*Function
	Open    bool // it declares [string] too: any key goes
}

// Title is the class's name without its module: "Promise".
func (c *Class) Title() string { return path.Ext("." + c.Name)[1:] }

// Function is what a declaration says about one function: the types of its parameters and of its first result.
type Function struct {
	Parameters []Parameter
	Overloads  [][]Parameter
	Returns    string
	Activity   bool // only activities have it
}

// Parameter is one declared parameter.
type Parameter struct{ Name, Type string }

// Load reads every .d.lua file of a directory.
func Load(declarations fs.FS) (*Vocabulary, error) {
	v, err := load(declarations, func(file string) bool { return !stdlib.ForSpecs(file) })
	if err == nil {
		v.specs, err = load(declarations, func(string) bool { return true })
	}
	return v, err
}

// of is the vocabulary of a file.
func (v *Vocabulary) of(file string) *Vocabulary {
	if strings.HasSuffix(file, flowtest.Suffix) {
		return v.specs
	}
	return v
}

func load(declarations fs.FS, wanted func(file string) bool) (*Vocabulary, error) {
	v := &Vocabulary{Functions: map[string]*Function{}, Classes: map[string]*Class{}, Modules: map[string]*Class{}, Globals: map[string]bool{}}
	for name := range vm.WorkflowAbsent() {
		v.Globals[name] = true
	}
	files, err := fs.Glob(declarations, "*.d.lua")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if !wanted(file) {
			continue
		}
		text, err := fs.ReadFile(declarations, file)
		if err != nil {
			return nil, fmt.Errorf("read the declarations: %w", err)
		}
		v.read(strings.TrimSuffix(file, ".d.lua"), string(text))
	}
	return v, nil
}

// types lists what the declarations allow as the i-th argument.
func (f *Function) types(i int) (types []string) {
	for _, parameters := range append([][]Parameter{f.Parameters}, f.Overloads...) {
		if i < len(parameters) {
			types = append(types, parameters[i].Type)
		}
	}
	return types
}

func (v *Vocabulary) module(name string) bool { return v.Modules[name] != nil }

// required tells the modules that a script must require from the libraries that are always there.
func (v *Vocabulary) required(name string) bool {
	return v.module(name) && !v.Globals[name]
}

// has reports whether the module declares the function or field.
func (v *Vocabulary) has(module, name string) bool {
	return v.Functions[module+"."+name] != nil || v.field(v.Modules[module], name) ||
		module == "os" && outside(module+"."+name) != ""
}

func (v *Vocabulary) members(module string) []string {
	names := v.fields(v.Modules[module])
	for name := range v.Functions {
		if function, ok := strings.CutPrefix(name, module+"."); ok && !strings.Contains(function, ".") {
			names = append(names, function)
		}
	}
	return names
}

// lineage visits the class and those it inherits from, until the visitor is content.
func (v *Vocabulary) lineage(c *Class, visit func(*Class) bool) bool {
	if c == nil {
		return false
	}
	if visit(c) {
		return true
	}
	return slices.ContainsFunc(c.Parents, func(parent string) bool {
		return parent != c.Name && v.lineage(v.Classes[parent], visit)
	})
}

func (v *Vocabulary) method(c *Class, name string) (found *Function) {
	v.lineage(c, func(c *Class) bool { found = c.Methods[name]; return found != nil })
	return found
}

func (v *Vocabulary) field(c *Class, name string) bool {
	_, ok := v.fieldType(c, name)
	return ok
}

func (v *Vocabulary) fieldType(c *Class, name string) (typ string, found bool) {
	v.lineage(c, func(c *Class) bool {
		typ, found = c.Fields[name]
		found = found || c.Open
		return found
	})
	return typ, found
}

func (v *Vocabulary) fields(c *Class) (names []string) {
	v.lineage(c, func(c *Class) bool { names = append(names, slices.Collect(maps.Keys(c.Fields))...); return false })
	return names
}

func (v *Vocabulary) methods(c *Class) (names []string) {
	v.lineage(c, func(c *Class) bool { names = append(names, slices.Collect(maps.Keys(c.Methods))...); return false })
	return names
}
