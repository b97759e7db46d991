package vm

import lua "github.com/yuin/gopher-lua"

// getfenv and setfenv work on Lua functions. A thread's own environment, level 0, can be read but not changed: protected
// calls have threads of their own, so that a change would be seen here and not there.

func (s *State) getEnvironment(l *lua.LState) int {
	fn := s.functionAt(l, true)
	if fn == nil || fn.IsG {
		l.Push(s.Globals())
		return 1
	}
	l.Push(fn.Env)
	return 1
}

func (s *State) setEnvironment(l *lua.LState) int {
	env := l.CheckTable(2)
	fn := s.functionAt(l, false)
	if fn == nil {
		Throwf(l, 1, "setfenv of level 0 is not available here: set that of a function")
	}
	if fn.IsG {
		Throwf(l, 1, "'setfenv' cannot change environment of given object")
	}
	fn.Env = env
	l.Push(fn)
	return 1
}

// functionAt is the function that argument 1 is, or is the level of; nil for level 0.
func (s *State) functionAt(l *lua.LState, optional bool) *lua.LFunction {
	if fn, ok := l.Get(1).(*lua.LFunction); ok {
		return fn
	}
	level := 1
	if !optional || l.Get(1) != lua.LNil {
		level = intArgument(l, 1)
	}
	if level < 0 {
		l.ArgError(1, "level must be non-negative")
	}
	if level == 0 {
		return nil
	}
	s.Charge(levelCost)
	s.chargeTrace()
	fn := s.functionOf(l, level)
	if fn == nil {
		l.ArgError(1, "invalid level")
	}
	return fn
}

// functionOf is the function at a level, 1 being the one that called the running Go function, over protected calls; nil if
// there is none.
func (s *State) functionOf(l *lua.LState, level int) *lua.LFunction {
	t := s.top
	for t != nil && t.l != l {
		t = t.parent
	}
	for {
		depth := stackDepth(l)
		if level < depth {
			dbg, _ := l.GetStack(level)
			fn, _ := l.GetInfo("f", dbg, lua.LNil)
			f, _ := fn.(*lua.LFunction)
			return f
		}
		level -= depth
		if t == nil || t.parent == nil || t.isBody() {
			return nil
		}
		t = t.parent
		l = t.l
	}
}
