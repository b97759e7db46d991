package stdlib

import (
	"slices"
	"sync"

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

// types are the metatables of the values that the module makes. All states share them.
type types struct {
	module                                                    *lua.LTable // of the module itself
	promise, stub, policy, signal, channel, semaphore, nowait *lua.LTable
	matcher                                                   *lua.LTable // of specs
}

var flowTypes = sync.OnceValue(func() *types {
	return &types{
		module:    moduleType(),
		promise:   userdataType("promise", promiseMethods, nil, unawaited...),
		stub:      userdataType("stub", stubMethods, (*Flow).callStub),
		policy:    userdataType("policy", policyMethods, nil),
		signal:    userdataType("signal", signalMethods, nil),
		channel:   userdataType("channel", channelMethods, nil),
		semaphore: userdataType("semaphore", semaphoreMethods, nil),
		nowait:    userdataType("nowait", nil, nil),
		matcher:   userdataType("matcher", nil, nil),
	}
})

// builtin is a function of the module, for the Flow of whatever state calls it.
func builtin(fn func(*Flow, *lua.LState) int) vm.Builtin {
	return func(s *vm.State, L *lua.LState) int { return fn(s.Local.(*Flow), L) }
}

// value makes a value of a type.
func value(of *lua.LTable, v any) *lua.LUserData { return &lua.LUserData{Value: v, Metatable: of} }

// userdataType makes the metatable of a type: its methods, what calling a value does if anything, an error for any other field,
// and an error with a hint for events that misuse it.
func userdataType(name string, list []method, call func(*Flow, *lua.LState) int, misuse ...string) *lua.LTable {
	funcs := map[string]vm.Builtin{
		"__newindex": func(_ *vm.State, L *lua.LState) int { return readOnly(L, valueText(L.Get(1))) },
		"__tostring": func(_ *vm.State, L *lua.LState) int { L.Push(lua.LString(valueText(L.Get(1)))); return 1 },
	}
	for _, event := range misuse {
		funcs[event] = func(_ *vm.State, L *lua.LState) int { return misused(L) }
	}
	if call != nil {
		funcs["__call"] = builtin(call)
	}
	methods := vm.Builtins(builtins(list))
	methods.Metatable = vm.Builtins(map[string]vm.Builtin{"__index": func(_ *vm.State, L *lua.LState) int {
		return missing(L, name, methodNames(list))
	}})
	meta := vm.Builtins(funcs)
	meta.RawSetString("__index", methods)
	meta.RawSetString("__metatable", lua.LString(name))
	return meta
}

func builtins(list []method) map[string]vm.Builtin {
	funcs := make(map[string]vm.Builtin, len(list))
	for _, m := range list {
		funcs[m.name] = builtin(m.fn)
	}
	return funcs
}

// moduleType is the metatable of the module: its functions go into the table when a script first looks them up.
func moduleType() *lua.LTable {
	functions := vm.Builtins(builtins(flowFunctions))
	meta := vm.Builtins(map[string]vm.Builtin{"__index": builtin(func(f *Flow, L *lua.LState) int {
		name := keyText(L.Get(2))
		v := f.field(functions, name)
		if v == nil {
			return missing(L, "flow", methodNames(flowFunctions))
		}
		L.CheckTable(1).RawSetString(name, v)
		L.Push(v)
		return 1
	})})
	meta.RawSetString(allFunctions, functions)
	meta.RawSetString("__metatable", lua.LString("flow"))
	return meta
}

// allFunctions is where the metatable of the module has them.
const allFunctions = "functions"

// field is what the module has under a name, nil if nothing.
func (f *Flow) field(functions *lua.LTable, name string) lua.LValue {
	if fn := functions.RawGetString(name); fn != lua.LNil {
		return fn
	}
	if name == "log" {
		return f.logTable()
	}
	for _, more := range f.further {
		if more.name == name {
			return more.open()
		}
	}
	return nil
}

// closed makes reading an unknown name of a table an error that suggests the nearest one.
func closed(s *vm.State, t *lua.LTable, what string, known []string) {
	onMissing(s, t, what, func(string) (lua.LValue, []string) { return nil, known })
}

// onMissing asks find for what a table has not got: a value, or the names there are.
func onMissing(s *vm.State, t *lua.LTable, what string, find func(name string) (lua.LValue, []string)) {
	meta := s.Main().CreateTable(0, 2)
	meta.RawSetString("__index", s.Func(what, func(L *lua.LState) int {
		v, known := find(keyText(L.Get(2)))
		if v == nil {
			return missing(L, what, known)
		}
		L.Push(v)
		return 1
	}))
	meta.RawSetString("__metatable", lua.LString(what))
	t.Metatable = meta
}

// missing raises the error that a thing has no field of the name that is argument #2.
func missing(L *lua.LState, what string, known []string) int {
	name := keyText(L.Get(2))
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
	return 0
}
