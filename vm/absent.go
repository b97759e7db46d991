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
	absent := s.config.Absent
	if absent == nil {
		absent = WorkflowAbsent()
	}
	for _, name := range slices.Sorted(maps.Keys(absent)) {
		s.Globals().RawSetString(name, s.absent(name, absent[name]))
	}
}

func (s *State) absent(name, instead string) lua.LValue {
	const text = "%s is not available here: %s"
	if absentFunctions[name] {
		return s.Func(name, func(l *lua.LState) int { Throwf(l, 1, text, name, instead); return 0 })
	}
	t := s.main.CreateTable(0, 1)
	AbsentFields(s, t, name, instead)
	return t
}

// AbsentFields makes the use of a field that t does not have an error that says what to do instead.
func AbsentFields(s *State, t *lua.LTable, name, instead string) {
	meta := s.main.CreateTable(0, 2)
	meta.RawSetString("__index", s.Func("__index", func(l *lua.LState) int {
		Throwf(l, 1, "%s.%s is not available here: %s", name, s.ToString(l, l.Get(2)), instead)
		return 0
	}))
	meta.RawSetString("__metatable", lua.LFalse)
	t.Metatable = meta
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
