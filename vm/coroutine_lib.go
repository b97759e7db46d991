package vm

import lua "github.com/yuin/gopher-lua"

func coroutineModel() *lua.LTable {
	return Builtins(map[string]Builtin{
		"close":       (*State).coClose,
		"create":      (*State).coCreate,
		"isyieldable": func(s *State, l *lua.LState) int { l.Push(lua.LBool(s.top.co != nil)); return 1 },
		"resume":      (*State).coResume,
		"running":     (*State).coRunning,
		"status": func(s *State, l *lua.LState) int {
			co, _ := s.checkCoroutine(l)
			l.Push(lua.LString(co.status))
			return 1
		},
		"wrap":  (*State).coWrap,
		"yield": (*State).coYield,
	})
}

func (s *State) checkCoroutine(l *lua.LState) (*coroutine, *lua.LState) {
	handle, ok := l.Get(1).(*lua.LState)
	if !ok {
		l.ArgError(1, "coroutine expected")
	}
	return handle.Context().(*coroutine), handle
}

// checkBody is what a new coroutine is to run: any function, but Lua asks for one in Lua.
func checkBody(l *lua.LState) *lua.LFunction {
	fn, ok := l.Get(1).(*lua.LFunction)
	if !ok {
		l.ArgError(1, "Lua function expected")
	}
	return fn
}

func (s *State) coCreate(l *lua.LState) int {
	_, handle := s.newCoroutine(checkBody(l), false)
	l.Push(handle)
	return 1
}

func (s *State) coResume(l *lua.LState) int {
	co, handle := s.checkCoroutine(l)
	out, failed := s.resume(co, handle, s.values(l, 2))
	if failed != nil {
		l.Push(lua.LFalse)
		l.Push(failed.Object)
		return 2
	}
	l.Push(lua.LTrue)
	return 1 + push(l, out)
}

func (s *State) coWrap(l *lua.LState) int {
	co, handle := s.newCoroutine(checkBody(l), true)
	l.Push(s.Func("wrap", func(l *lua.LState) int {
		out, failed := s.resume(co, handle, s.values(l, 1))
		if failed == nil {
			return push(l, out)
		}
		v := failed.Object
		if text, ok := v.(lua.LString); ok {
			v = lua.LString(s.where(l, 1)) + text
		}
		s.cause = failed.Cause
		Throw(l, v)
		return 0
	}))
	return 1
}

func (s *State) coYield(l *lua.LState) int {
	co := s.top.co
	if co == nil {
		Throwf(l, 1, "attempt to yield from outside a coroutine")
	}
	return push(l, s.yield(co, s.values(l, 1)))
}

func (s *State) coRunning(l *lua.LState) int {
	if co := s.top.co; co != nil {
		l.Push(co.handle.Value())
	} else {
		l.Push(lua.LNil)
	}
	return 1
}

// coClose stops a suspended coroutine. For one that an error has ended it gives false and the error, once.
func (s *State) coClose(l *lua.LState) int {
	co, _ := s.checkCoroutine(l)
	switch co.status {
	case running, normal:
		Throwf(l, 1, "cannot close a %s coroutine", co.status)
	case dead:
		if failed := co.failed; failed != nil {
			co.failed = nil
			l.Push(lua.LFalse)
			l.Push(failed.Object)
			return 2
		}
	}
	s.kill(co)
	l.Push(lua.LTrue)
	return 1
}

func push(l *lua.LState, vs []lua.LValue) int {
	for _, v := range vs {
		l.Push(v)
	}
	return len(vs)
}
