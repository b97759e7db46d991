package vm

import (
	"maps"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// WorkflowAbsent are the globals of Lua that workflow code does not have, and where such work belongs.
func WorkflowAbsent() map[string]string {
	return map[string]string{
		"io":       "do input and output in an activity (flow.activity)",
		"dofile":   "use require",
		"loadfile": "use require",
	}
}

// absentFunctions are called; the others of the absent globals are tables.
var absentFunctions = map[string]bool{"dofile": true, "loadfile": true}

// openAbsent defines what is absent, so that its use says why.
func (s *State) openAbsent() {
	model := s.models.absent
	if s.config.Absent != nil {
		model = absentModel(s.config.Absent)
	}
	for name, v := model.Next(lua.LNil); name != lua.LNil; name, v = model.Next(name) {
		if t, ok := v.(*lua.LTable); ok {
			v = Copy(t)
		}
		s.Globals().RawSet(name, v)
	}
}

// absentModel has for each name a function, or a table, that cannot be used.
func absentModel(absent map[string]string) *lua.LTable {
	const text = "%s is not available here: %s"
	model := NewTable()
	for _, name := range slices.Sorted(maps.Keys(absent)) {
		instead := absent[name]
		if absentFunctions[name] {
			model.RawSetString(name, NewBuiltin(func(_ *State, l *lua.LState) int { Throwf(l, 1, text, name, instead); return 0 }))
			continue
		}
		meta := Builtins(map[string]Builtin{"__index": func(s *State, l *lua.LState) int {
			Throwf(l, 1, "%s.%s is not available here: %s", name, s.ToString(l, l.Get(2)), instead)
			return 0
		}})
		meta.RawSetString("__metatable", lua.LFalse)
		model.RawSetString(name, &lua.LTable{Metatable: meta})
	}
	return model
}

// traceback is debug.traceback(message): what xpcall is given for a handler.
func (s *State) traceback(l *lua.LState) int {
	v := l.Get(1)
	if _, ok := plainText(v); !ok && v != lua.LNil {
		l.Push(v)
		return 1
	}
	s.chargeTrace()
	s.Charge(traceCost)
	var stack []Frame
	if s.handling != nil {
		stack = s.handling.frames()
	} else {
		stack = frames(s.capture(traceTop+1, traceEnd)[1:])
	}
	text := Traceback(stack)
	if message, ok := plainText(v); ok {
		text = message + "\n" + text
	}
	l.Push(lua.LString(text))
	return 1
}
