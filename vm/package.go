package vm

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// packageModel is the table that libraries look into: loaded is what require has loaded, preload what it asks first; path
// and cpath are empty, as modules come from beside the script.
func packageModel() *lua.LTable {
	t := Builtins(map[string]Builtin{"seeall": (*State).seeAll})
	t.RawSetString("config", lua.LString("/\n;\n?\n!\n-\n"))
	t.RawSetString("cpath", lua.LString(""))
	t.RawSetString("path", lua.LString(""))
	return t
}

func (s *State) openPackage() {
	s.modules.table, s.modules.preload = s.main.CreateTable(0, 8), NewTable()
	s.lazyCopy("package", s.models.packages, func(t *lua.LTable) {
		t.RawSetString("loaded", s.modules.table)
		t.RawSetString("loaders", NewTable())
		t.RawSetString("preload", s.modules.preload)
	})
}

// standard are the libraries that require gives too.
var standard = [...]string{"_G", "coroutine", "debug", "math", "os", "package", "string", "table"}

// loadedModule is what require has loaded under a name, or the library of that name; nil: neither.
func (s *State) loadedModule(name string) lua.LValue {
	if v := s.modules.table.RawGetString(name); v != lua.LNil {
		return v
	}
	for _, library := range standard {
		if t, ok := s.Globals().RawGetString(library).(*lua.LTable); ok && library == name && s.modules.loaded[name] == nil {
			s.setLoaded(name, t)
			return t
		}
	}
	return lua.LNil
}

func (s *State) setLoaded(name string, v lua.LValue) {
	s.modules.loaded[name] = v
	s.modules.table.RawSetString(name, v)
}

// module is Lua 5.1's module(name, ...): from here on the globals of the file are those of a table, which is what require
// gives.
func (s *State) module(l *lua.LState) int {
	name := textArgument(l, 1)
	n := l.GetTop()
	caller := s.functionOf(l, 1)
	if caller == nil || caller.IsG {
		Throwf(l, 1, "'module' not called from a Lua function")
	}
	t, ok := s.modules.table.RawGetString(name).(*lua.LTable)
	if !ok {
		t = s.namedTable(l, name)
		s.setLoaded(name, t)
	}
	if t.RawGetString("_NAME") == lua.LNil {
		t.RawSetString("_M", t)
		t.RawSetString("_NAME", lua.LString(name))
		t.RawSetString("_PACKAGE", lua.LString(name[:strings.LastIndexByte(name, '.')+1]))
	}
	caller.Env = t
	for i := 2; i <= n; i++ {
		l.Push(l.Get(i))
		l.Push(t)
		l.Call(1, 0)
	}
	return 0
}

// namedTable is the global table of a name with dots; what is missing of it is made.
func (s *State) namedTable(l *lua.LState, name string) *lua.LTable {
	t := s.Globals()
	for _, part := range strings.Split(name, ".") {
		next, ok := t.RawGetString(part).(*lua.LTable)
		if !ok {
			if t.RawGetString(part) != lua.LNil {
				Throwf(l, 1, "name conflict for module '%s'", name)
			}
			next = s.main.CreateTable(0, 4)
			t.RawSetString(part, next)
		}
		t = next
	}
	return t
}

// seeAll lets a module see the globals.
func (s *State) seeAll(l *lua.LState) int {
	t := l.CheckTable(1)
	meta, ok := t.Metatable.(*lua.LTable)
	if !ok {
		meta = s.main.CreateTable(0, 1)
		t.Metatable = meta
	}
	meta.RawSetString("__index", s.Globals())
	return 0
}
