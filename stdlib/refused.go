package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// OpenRefused lets workflow code require the modules of activities, and name what is a global there (io): the file that
// holds both is loaded in both worlds. Only a call fails, and says where it belongs.
func OpenRefused(s *vm.State, names ...string) {
	for _, name := range names {
		if s.Globals().RawGetString(name) == lua.LNil {
			s.Preload(name, func(*lua.LState) lua.LValue { return refused(s, name) })
			continue
		}
		t := refused(s, name)
		s.Globals().RawSetString(name, t)
		s.Preload(name, func(*lua.LState) lua.LValue { return t })
	}
}

// ActivityModules are the modules that only activities can use.
var ActivityModules = [...]string{"fs", "http", "io"}

// refused stands for a module, a function or a file of an activity. It can be indexed (io.stdout:write) and named
// (local get = http.get), but not called.
func refused(s *vm.State, name string) *lua.LTable {
	l := s.Main()
	meta := l.CreateTable(0, 4)
	t := l.CreateTable(0, 0)
	meta.RawSetString("__index", s.Func(name, func(l *lua.LState) int {
		member := refused(s, name+"."+keyText(l.Get(2)))
		t.RawSet(l.Get(2), member)
		l.Push(member)
		return 1
	}))
	meta.RawSetString("__call", s.Func(name, func(l *lua.LState) int {
		if name == "io.type" { // nothing here is a file
			l.Push(lua.LNil)
			return 1
		}
		refuse(l, name)
		return 0
	}))
	meta.RawSetString("__newindex", s.Func(name, func(l *lua.LState) int { refuse(l, name); return 0 }))
	meta.RawSetString("__metatable", lua.LString(name))
	t.Metatable = meta
	return t
}

func refuse(l *lua.LState, name string) {
	vm.Throwf(l, 1, "%s is not available in workflow code: move it into an activity (flow.activity)", name)
}
