package vm

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// infoCost is what debug.getinfo takes, in instructions.
const infoCost = 250

// debugModel is what there is of debug: traceback, of getinfo what does not reach into the engine, and hooks as far as there
// are none: libraries switch them off.
func debugModel() *lua.LTable {
	return Builtins(map[string]Builtin{
		"gethook":      func(*State, *lua.LState) int { return 0 },
		"getinfo":      (*State).getInfo,
		"getmetatable": (*State).realMetatable,
		"sethook":      stateless(setHook),
		"setmetatable": (*State).setRealMetatable,
		"traceback":    (*State).traceback,
	})
}

func setHook(l *lua.LState) int {
	if l.Get(1) != lua.LNil {
		Throwf(l, 1, "debug.sethook is not available here: a run has limits for its instructions and its time")
	}
	return 0
}

// realMetatable respects __metatable, as flow's own types are locked by it. Values other than tables and userdata share one for all of their
// type, in this run alone.
func (s *State) realMetatable(l *lua.LState) int {
	v := checkAny(l, 1)
	if t, ok := v.(*lua.LTable); ok {
		s.Complete(t)
	}
	if v.Type() == lua.LTString && s.meta == s.bare {
		l.Push(lua.LNil)
		return 1
	}
	l.Push(l.GetMetatable(v))
	return 1
}

func (s *State) setRealMetatable(l *lua.LState) int {
	v, mt := checkAny(l, 1), l.Get(2)
	if mt != lua.LNil && mt.Type() != lua.LTTable || l.GetTop() < 2 {
		l.ArgError(2, "nil or table expected")
	}
	switch v := v.(type) {
	case *lua.LTable:
		s.Complete(v)
		v.Metatable = mt
	case lua.LString:
		t, ok := mt.(*lua.LTable)
		if !ok {
			if s.bare == nil {
				s.bare = NewTable()
			}
			t = s.bare
		}
		model := s.models.strings
		for k, fn := model.Next(lua.LNil); k != lua.LNil; k, fn = model.Next(k) {
			if t.RawGet(k) == lua.LNil {
				t.RawSet(k, fn)
			}
		}
		s.setStringMetatable(t)
	default:
		s.main.SetMetatable(v, mt)
	}
	l.Push(lua.LTrue)
	return 1
}

// getInfo is debug.getinfo(function or level): source, short_src, currentline, linedefined, lastlinedefined, what, name,
// namewhat, func and nups. Which of them are asked for makes no difference.
func (s *State) getInfo(l *lua.LState) int {
	fn, isFunction := l.Get(1).(*lua.LFunction)
	position, name, kind := 0, "", ""
	if !isFunction {
		if _, ok := ToNumber(l.Get(1)); !ok {
			l.ArgError(1, "function or level expected")
		}
		level := min(intArgument(l, 1), deepestLevel)
		s.chargeLevel(level)
		fn = nil
		if level >= 0 {
			fn = s.functionOf(l, level)
		}
		if fn == nil {
			l.Push(lua.LNil)
			return 1
		}
		if marks := s.appendMarks(nil, 2*level+4); true {
			position, name, kind = markAt(marks, level)
		}
	}
	s.Charge(infoCost)
	t := s.main.CreateTable(0, 12)
	t.RawSetString("func", fn)
	t.RawSetString("namewhat", lua.LString(""))
	if name != "" {
		t.RawSetString("name", lua.LString(name))
		t.RawSetString("namewhat", lua.LString(kind))
	}
	t.RawSetString("currentline", lua.LNumber(-1))
	if fn.IsG {
		t.RawSetString("what", lua.LString("C"))
		t.RawSetString("source", lua.LString("=[C]"))
		t.RawSetString("short_src", lua.LString("[C]"))
		t.RawSetString("linedefined", lua.LNumber(-1))
		t.RawSetString("lastlinedefined", lua.LNumber(-1))
		t.RawSetString("nups", lua.LNumber(0))
		l.Push(t)
		return 1
	}
	p := fn.Proto
	what := "Lua"
	if p.LineDefined == 0 {
		what = "main"
	}
	if position != 0 {
		t.RawSetString("currentline", lua.LNumber(lineOf(position)))
	}
	t.RawSetString("what", lua.LString(what))
	t.RawSetString("source", lua.LString("@"+p.SourceName))
	t.RawSetString("short_src", lua.LString(p.SourceName))
	t.RawSetString("linedefined", lua.LNumber(p.LineDefined))
	t.RawSetString("lastlinedefined", lua.LNumber(p.LastLineDefined))
	t.RawSetString("nups", lua.LNumber(p.NumUpvalues))
	l.Push(t)
	return 1
}

// markAt gives where the function at a level is, and what its caller calls it: "name", "global", "local", "field", "method" or "upvalue".
func markAt(marks []mark, level int) (position int, name, kind string) {
	n := 0
	for i, m := range marks {
		if m.kind != markCall {
			continue
		}
		if n == level {
			if rest := marks[i+1:]; len(rest) > 0 && rest[0].kind == markCall && rest[0].proto != nil {
				in := instruction{proto: rest[0].proto, pc: pcOf(rest[0].at)}
				name = calledName(in.proto, in.pc)
				kind, _, _ = strings.Cut(registerName(in.proto, in.pc, in.a()), " ")
			}
			return m.at, name, kind
		}
		n++
	}
	return 0, "", ""
}
