package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// semaphore lets at most so many branches in. A permit that is given back goes to the branch that waits longest.
type semaphore struct {
	inbox
	free, size int
}

func (s *semaphore) luaKind() string     { return "semaphore" }
func (s *semaphore) cannotLeave() string { return "a semaphore cannot leave the run" }

var semaphoreMethods = []method{
	{"acquire", (*Flow).semaphoreAcquire}, {"release", (*Flow).semaphoreRelease}, {"with", (*Flow).semaphoreWith},
}

// semaphore is flow.semaphore(n).
func (f *Flow) semaphore(L *lua.LState) int {
	n, whole := wholeNumber(L.Get(1))
	if !whole || n < 1 {
		vm.Throwf(L, 1, "flow.semaphore expects %s, got %s", wholeFrom(1, L.Get(1)), describe(L.Get(1)))
	}
	L.Push(value(f.types.semaphore, &semaphore{free: n, size: n}))
	return 1
}

func checkSemaphore(L *lua.LState, call string) *semaphore {
	s, is := held[*semaphore](L.Get(1))
	if !is {
		vm.Throwf(L, 1, "%s expects a semaphore, got %s; call it with a colon", call, describe(L.Get(1)))
	}
	return s
}

// semaphoreAcquire is sem:acquire([timeout]).
func (f *Flow) semaphoreAcquire(L *lua.LState) int {
	f.acquire(L, checkSemaphore(L, "semaphore:acquire"), "semaphore:acquire", 2)
	return 0
}

func (f *Flow) acquire(L *lua.LState, s *semaphore, call string, timeout int) *scheduler.Branch {
	b := f.branch(L, call)
	d, limited := checkTimeout(L, timeout, call)
	if err := b.Cancelled(); err != nil {
		f.raise(L, b, err)
	}
	if s.free > 0 {
		s.free--
		return b
	}
	_, err := f.take(b, &s.inbox, "a semaphore", d, limited)
	s.refund()
	if err != nil {
		f.raise(L, b, err)
	}
	return b
}

// refund counts permits that were on their way to a branch that is gone, as take keeps them.
func (s *semaphore) refund() {
	s.free += len(s.items)
	s.items = nil
}

// semaphoreRelease is sem:release().
func (f *Flow) semaphoreRelease(L *lua.LState) int {
	s := checkSemaphore(L, "semaphore:release")
	f.changes(L, "semaphore:release")
	if !s.release() {
		vm.Throwf(L, 1, "semaphore:release: all %d permits are free: it was released more often than acquired", s.size)
	}
	return 0
}

func (s *semaphore) release() bool {
	if s.free == s.size {
		return false
	}
	if !s.deliver([]lua.LValue{}) {
		s.free++
	}
	return true
}

// semaphoreWith is sem:with(fn, …): it runs fn with a permit and gives it back whatever happens.
func (f *Flow) semaphoreWith(L *lua.LState) int {
	s := checkSemaphore(L, "semaphore:with")
	fn := checkCallable(L, 2, "semaphore:with", "a function")
	args := arguments(L, 3)
	b := f.acquire(L, s, "semaphore:with", 0)
	results, err := f.state.Call(fn, args...)
	s.release()
	if err != nil {
		return f.rethrow(L, b, err)
	}
	return push(L, results)
}
