package stdlib

import (
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// OpenRefused lets workflow code require the modules of activities, and name what is a global there (io): the file that
// holds both is loaded in both worlds. Only a call fails, and says where it belongs.
func OpenRefused(s *vm.State, names ...string) {
	for _, name := range names {
		if s.Globals().RawGetString(name) == lua.LNil {
			s.Preload(name, func(*lua.LState) lua.LValue { return refused(name) })
			continue
		}
		t := refused(name)
		s.Globals().RawSetString(name, t)
		s.Preload(name, func(*lua.LState) lua.LValue { return t })
	}
}

// ActivityModules are the modules that only activities can use.
var ActivityModules = [...]string{"fs", "http", "io"}

// refused stands for a module, a function or a file of an activity. It can be indexed (io.stdout:write) and named
// (local get = http.get), but not called.
func refused(name string) *lua.LTable {
	meta := refusedModules()[name]
	if meta == nil {
		meta = refusedType(name)
	}
	return &lua.LTable{Metatable: meta}
}

// refusedCost is what making a member takes, in instructions.
const refusedCost = 50

// refusedModules are the metatables of those that every state has.
var refusedModules = sync.OnceValue(func() map[string]*lua.LTable {
	types := map[string]*lua.LTable{}
	for _, name := range ActivityModules {
		types[name] = refusedType(name)
	}
	return types
})

func refusedType(name string) *lua.LTable {
	meta := vm.Builtins(map[string]vm.Builtin{
		"__index": func(s *vm.State, l *lua.LState) int {
			s.Charge(refusedCost)
			member := &lua.LTable{Metatable: refusedType(name + "." + keyText(l.Get(2)))}
			l.CheckTable(1).RawSet(l.Get(2), member)
			l.Push(member)
			return 1
		},
		"__call": func(_ *vm.State, l *lua.LState) int {
			if name == "io.type" { // nothing here is a file
				l.Push(lua.LNil)
				return 1
			}
			refuse(l, name)
			return 0
		},
		"__newindex": func(_ *vm.State, l *lua.LState) int { refuse(l, name); return 0 },
	})
	meta.RawSetString("__metatable", lua.LString(name))
	return meta
}

func refuse(l *lua.LState, name string) {
	vm.Throwf(l, 1, "%s is not available in workflow code: move it into an activity (flow.activity)", name)
}
