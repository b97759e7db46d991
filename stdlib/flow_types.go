package stdlib

import (
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// method is a function of the module or a method of one of its types.
type method struct {
	name string
	fn   func(*Flow, *lua.LState) int
}

// readOnly says that a value has no fields that a script could set.
func readOnly(L *lua.LState, what string) int {
	vm.Throwf(L, 1, "%s cannot be changed: it has no field '%s' that can be set", what, keyText(L.Get(2)))
	return 0
}

func methodNames(list []method) []string {
	text := make([]string, len(list))
	for i, m := range list {
		text[i] = m.name
	}
	return text
}

// types are the types of the values that the module makes.
type types struct {
	promise, stub, policy, signal, channel, semaphore, nowait userdata
}

// userdata is a type of them. Its metatable is made when the first value is: most runs need few.
type userdata struct {
	name    string
	methods []method
	call    lua.LGFunction
	misused []string // events that are an error with a hint
	meta    *lua.LTable
}

// value makes a value of a type.
func (f *Flow) value(of *userdata, v any) *lua.LUserData {
	if of.meta == nil {
		of.meta = f.metatable(of)
	}
	return &lua.LUserData{Value: v, Metatable: of.meta}
}

// metatable makes the metatable of a type of userdata: its methods, what calling it does, and an error for any other field.
func (f *Flow) metatable(of *userdata) *lua.LTable {
	meta := f.state.Main().CreateTable(0, 4+len(of.misused))
	meta.RawSetString("__index", f.table(of.name, ":", of.methods))
	meta.RawSetString("__newindex", f.state.Func(of.name, func(L *lua.LState) int { return readOnly(L, valueText(L.Get(1))) }))
	meta.RawSetString("__metatable", lua.LString(of.name))
	meta.RawSetString("__tostring", f.state.Func("tostring", func(L *lua.LState) int {
		L.Push(lua.LString(valueText(L.Get(1))))
		return 1
	}))
	if of.call != nil {
		meta.RawSetString("__call", f.state.Func(of.name, of.call))
	}
	if len(of.misused) > 0 {
		hint := f.state.Func(of.name, misused)
		for _, event := range of.misused {
			meta.RawSetString(event, hint)
		}
	}
	return meta
}

// table makes a table of functions, each of which is made when a script first looks it up: making all of them would cost a
// small run more than all that it does. An unknown name is an error that suggests the nearest one.
func (f *Flow) table(what, separator string, list []method) *lua.LTable {
	t := f.state.Main().CreateTable(0, 8)
	find := func(name string) (lua.LValue, []string) {
		for _, m := range list {
			if m.name == name {
				fn := f.state.Func(what+separator+name, func(L *lua.LState) int { return m.fn(f, L) })
				t.RawSetString(name, fn)
				return fn, nil
			}
		}
		if what == "flow" && name == "log" {
			log := f.logTable()
			t.RawSetString(name, log)
			return log, nil
		}
		for _, more := range f.further {
			if what == "flow" && name == more.name {
				v := more.open()
				t.RawSetString(name, v)
				return v, nil
			}
		}
		return nil, methodNames(list)
	}
	onMissing(f.state, t, what, find)
	if what == "flow" {
		f.state.Later(t, func() { // pairs shows them all
			for _, name := range append(methodNames(list), "log") {
				if t.RawGetString(name) == lua.LNil {
					find(name)
				}
			}
		})
	}
	return t
}

// closed makes reading an unknown name of a table an error that suggests the nearest one.
func closed(s *vm.State, t *lua.LTable, what string, known []string) {
	onMissing(s, t, what, func(string) (lua.LValue, []string) { return nil, known })
}

// onMissing asks find for what a table has not got: a value, or the names there are.
func onMissing(s *vm.State, t *lua.LTable, what string, find func(name string) (lua.LValue, []string)) {
	meta := s.Main().CreateTable(0, 2)
	meta.RawSetString("__index", s.Func(what, func(L *lua.LState) int {
		name := keyText(L.Get(2))
		v, known := find(name)
		if v == nil {
			hint := Suggest(name, known)
			switch what {
			case "flow":
				if name == "test" || name == "explore" {
					hint = "; it is there in spec files, which flowlua test runs"
				}
			case "promise":
				hint += "; a promise has no fields of its value: wait for it with p:await()"
			case "stub":
				if slices.Contains([]string{"await", "cancel", "get", "outcome", "ready"}, name) {
					hint = "; calling the stub gives a promise, which has: did you forget to call it?"
				}
			}
			vm.Throwf(L, 1, "%s has no '%s'%s", what, name, hint)
		}
		L.Push(v)
		return 1
	}))
	meta.RawSetString("__metatable", lua.LString(what))
	t.Metatable = meta
}
