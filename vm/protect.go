package vm

import lua "github.com/yuin/gopher-lua"

func (s *State) pcall(l *lua.LState) int {
	n := l.GetTop()
	if n == 0 {
		l.ArgError(1, "value expected")
	}
	s.budget.charge(pcallCost)
	t := s.newThread()
	t.quiet = true
	s.move(l, t.l, n)
	if failed := s.invoke(t, n-1); failed != nil {
		l.Push(lua.LFalse)
		l.Push(failed.Object)
		return 2
	}
	return s.succeeded(l, t)
}

func (s *State) succeeded(l *lua.LState, t *thread) int {
	l.Push(lua.LTrue)
	n := t.l.GetTop()
	s.move(t.l, l, n)
	s.release(t)
	return n + 1
}

// move moves the last n values from one thread to another.
func (s *State) move(from, to *lua.LState, n int) {
	s.budget.charge(int64(n / valuesPerCharge))
	from.XMoveTo(to, n)
}

// xpcall passes further arguments on, as later Luas do. The handler runs when the failed call has been left; what
// debug.traceback shows it is the stack that the error was raised on.
func (s *State) xpcall(l *lua.LState) int {
	n := l.GetTop()
	if n < 2 {
		l.ArgError(2, "value expected")
	}
	handler := l.Get(2)
	l.Remove(2)
	t := s.newThread()
	s.move(l, t.l, n-1)
	failed := s.invoke(t, n-2)
	if failed == nil {
		return s.succeeded(l, t)
	}
	l.Push(lua.LFalse)
	l.Push(s.handle(handler, failed))
	return 2
}

func (s *State) handle(handler lua.LValue, failed *lua.ApiError) lua.LValue {
	before := s.handling
	s.handling, _ = failed.Cause.(*origin)
	t := s.newThread()
	t.quiet = true
	t.l.Push(handler)
	t.l.Push(failed.Object)
	again := s.invoke(t, 1)
	s.handling = before
	if again != nil {
		return lua.LString("error in error handling")
	}
	v := t.l.Get(1)
	s.release(t)
	return v
}
