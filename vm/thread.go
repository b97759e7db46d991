package vm

import (
	"fmt"
	"runtime"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

const (
	registrySize = 32      // slots of a new thread, 16 bytes each: a branch that calls little needs no more
	registryStep = 32      // slots added when it is full
	registryMax  = 1 << 18 // slots
	maxFree      = 1024    // threads kept for reuse
)

// thread is a Lua thread and its place among those that run: one for each protected call, coroutine and State.Call.
// gopher-lua's own protected call detaches closures from their variables, and its yield loses values and frames;
// a failed call on a thread of its own can do no harm, as the thread is thrown away.
type thread struct {
	l        *lua.LState
	parent   *thread    // who called, or resumed
	co       *coroutine // whose code it runs; nil: the branch's own
	nest     int        // threads below it
	innards             // of l, if they are known
	upvalues **upvalue  // the first of those in l that are open
	quiet    bool       // its errors are caught by pcall: nobody reads a traceback

	older, newer *thread // among State.used
}

func (s *State) newThread() *thread {
	if n := len(s.free); n > 0 {
		t := s.free[n-1]
		s.free[n-1] = nil
		s.free = s.free[:n-1]
		s.use(t)
		return t
	}
	t := s.fork()
	if t == nil {
		l, _ := s.main.NewThread()
		t = &thread{l: l}
		if s.deepens {
			t.innards, _ = innardsOf(l)
		}
		l.SetContext(s.budget)
	}
	t.l.Panic = func(l *lua.LState) { s.raise(l, !t.quiet) }
	s.use(t)
	return t
}

func (s *State) use(t *thread) {
	t.older = s.used
	if t.older != nil {
		t.older.newer = t
	}
	s.used = t
}

// drop takes t out of those that are used.
func (s *State) drop(t *thread) {
	switch {
	case t.newer != nil:
		t.newer.older = t.older
	case s.used == t:
		s.used = t.older
	default:
		return // dropped before
	}
	if t.older != nil {
		t.older.newer = t.newer
	}
	t.older, t.newer = nil, nil
}

// release gives a thread back whose call has come to its end without an error.
func (s *State) release(t *thread) {
	s.drop(t)
	t.l.SetTop(0)
	t.parent, t.co, t.quiet = nil, nil, false
	if len(s.free) < maxFree && (t.stack == nil || len(t.stack.segments) <= keepSegments) {
		s.free = append(s.free, t)
	}
}

// enter makes t the running thread; false: too many inside each other.
func (s *State) enter(t *thread) bool {
	t.parent = s.top
	t.nest = 0
	if p := s.top; p != nil {
		t.nest = p.nest + 1
		if t.co == nil {
			t.co = p.co
		}
	}
	if t.nest > s.limits.Nesting {
		return false
	}
	s.top = t
	return true
}

// invoke calls the function that is on t's stack below its arguments. Results are left on the stack, failed is nil.
// Panics that are not Lua's pass.
func (s *State) invoke(t *thread, args int) (failed *lua.ApiError) {
	caller := s.top
	if !s.enter(t) {
		s.drop(t)
		return s.tooDeep()
	}
	done := false
	defer func() {
		if done {
			s.leave(caller)
			return
		}
		defer s.leave(caller)
		defer s.drop(t)
		s.recovered(recover(), t, &failed)
	}()
	t.l.Call(args, lua.MultRet)
	done = true
	return nil
}

// leave makes the caller the running thread again.
func (s *State) leave(caller *thread) {
	s.top = caller
	if caller == nil {
		s.budget.watch.stop()
	}
}

// recovered turns what a thread panicked with into a Lua error, if it is one.
func (s *State) recovered(r any, t *thread, failed **lua.ApiError) {
	switch r := r.(type) {
	case nil: // runtime.Goexit
	case *lua.ApiError:
		*failed = r
		if r == s.raised && t.stack != nil {
			t.reset()
			s.release(t)
		}
		s.raised = nil
	default:
		if !overflow(r, t.l) {
			panic(r)
		}
		if t.reg != nil { // what was made for it is thrown away
			s.budget.slice -= int64(len(t.reg.array)) / 4
		}
		s.top = t // for the position
		*failed = s.failure(fmt.Sprintf("%sstack overflow (more than %d calls or %d values: Limits.CallDepth)", s.where(t.l, 0), s.limits.CallDepth, registryMax))
	}
}

func (s *State) tooDeep() *lua.ApiError {
	return s.failure(fmt.Sprintf("C stack overflow (more than %d protected calls and coroutines inside each other: Limits.Nesting)", s.limits.Nesting))
}

func (s *State) failure(text string) *lua.ApiError {
	s.Charge(errorCost)
	s.chargeTrace()
	return &lua.ApiError{Type: lua.ApiErrorRun, Object: lua.LString(text), Cause: &origin{marks: s.capture(traceTop, traceEnd)}}
}

// overflow recognises the two ways in which gopher-lua panics when a stack is full: its growing call stack says so, and
// a registry that overflows in a tail call looks for the line of an instruction that has not begun.
func overflow(r any, l *lua.LState) bool {
	if text, ok := r.(string); ok {
		return text == "lua callstack overflow"
	}
	e, ok := r.(runtime.Error)
	if !ok || !strings.Contains(e.Error(), "index out of range [-1]") {
		return false
	}
	dbg, ok := l.GetStack(0)
	if !ok {
		return false
	}
	fn, _ := l.GetInfo("fl", dbg, lua.LNil)
	f, ok := fn.(*lua.LFunction)
	return ok && !f.IsG && dbg.CurrentLine == 0
}

// Call runs fn on a thread of its own, in the caller's goroutine. A Lua error is an *Error; anything else that
// panics, such as *LimitError or the engine's own, passes through.
func (s *State) Call(fn lua.LValue, args ...lua.LValue) ([]lua.LValue, error) {
	t := s.newThread()
	t.l.Push(fn)
	for _, a := range args {
		t.l.Push(a)
	}
	if failed := s.invoke(t, len(args)); failed != nil {
		return nil, newError(failed)
	}
	out := values(t.l, 1)
	s.release(t)
	return out, nil
}

// values are those from an index to the top, to be given to another thread.
func (s *State) values(l *lua.LState, first int) []lua.LValue {
	s.budget.charge(int64(max(0, l.GetTop()-first) / valuesPerCharge))
	return values(l, first)
}

// values are those from index first to the top.
func values(l *lua.LState, first int) []lua.LValue {
	n := l.GetTop() - first + 1
	if n <= 0 {
		return nil
	}
	out := make([]lua.LValue, n)
	for i := range out {
		out[i] = l.Get(first + i)
	}
	return out
}
