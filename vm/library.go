package vm

import (
	"maps"
	"slices"
	"sync"

	lua "github.com/yuin/gopher-lua"
)

// A state is made for each run, and filling its tables would take longer than many runs do. So what is the same in all states
// is made once: functions that belong to none, and models of tables of them, which states copy.

// models are the tables and functions of this package.
type models struct {
	globals, coroutine, debug, packages *lua.LTable
	unopened                            *lua.LTable // the metatable of libraries that no script has looked into
	absent                              *lua.LTable // globals that workflow code does not have
	strings                             *lua.LTable // their metatable
	helpers                             []lua.LValue
	null                                *lua.LTable    // the metatable of null
	next, step                          *lua.LFunction // of pairs and of ipairs
}

var standardModels = sync.OnceValue(func() *models {
	return &models{
		globals: baseModel(), coroutine: coroutineModel(), debug: debugModel(), packages: packageModel(), unopened: unopenedModel(),
		absent: absentModel(WorkflowAbsent()), strings: arithmeticModel(), helpers: helperFunctions(),
		null: nullModel(), next: NewBuiltin((*State).next), step: NewBuiltin(stateless(nextItem)),
	}
})

// Builtin is a Go function of a library, for whatever state calls it.
type Builtin = func(s *State, l *lua.LState) int

// NewBuiltin makes a function that all states share. No script can change it.
func NewBuiltin(fn Builtin) *lua.LFunction {
	return &lua.LFunction{IsG: true, GFunction: func(l *lua.LState) int {
		s := Of(l)
		s.budget.charge(goCallCost)
		return fn(s, l)
	}}
}

// stateless is the Builtin of a function that needs no state.
func stateless(fn lua.LGFunction) Builtin {
	return func(_ *State, l *lua.LState) int { return fn(l) }
}

// Builtins make functions, in a table in the order of their names.
func Builtins(funcs map[string]Builtin) *lua.LTable {
	t := NewTable()
	reserve(t, len(funcs))
	addBuiltins(t, funcs)
	return t
}

func addBuiltins(t *lua.LTable, funcs map[string]Builtin) {
	for _, name := range slices.Sorted(maps.Keys(funcs)) {
		t.RawSetString(name, NewBuiltin(funcs[name]))
	}
}

// NewTable makes an empty table of no state.
func NewTable() *lua.LTable { return &lua.LTable{Metatable: lua.LNil} }

// Copy makes a table with the same fields, which have names, and the same metatable.
func Copy(model *lua.LTable) *lua.LTable {
	t := &lua.LTable{Metatable: model.Metatable}
	copyFields(t, model)
	return t
}

// copyFields gives an empty table the fields of a model.
func copyFields(t, model *lua.LTable) {
	if !tablesKnown {
		for k, v := model.Next(lua.LNil); k != lua.LNil; k, v = model.Next(k) {
			t.RawSet(k, v)
		}
		return
	}
	from, to := inside(model), inside(t)
	if from.keys == nil {
		return
	}
	to.strdict, to.k2i = maps.Clone(from.strdict), maps.Clone(from.k2i)
	to.keys = append(make([]lua.LValue, 0, cap(from.keys)), from.keys...)
}
