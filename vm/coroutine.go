package vm

import (
	"context"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"weak"

	lua "github.com/yuin/gopher-lua"
)

// coroutine is a function on a thread of its own, in a goroutine of its own inside iter.Pull. Scripts hold a handle: an
// empty thread value whose context is the coroutine. The coroutine does not hold the handle, so that one that scripts
// have lost can be noticed and stopped.
type coroutine struct {
	context.Context // never asked: it makes a coroutine fit where a handle can keep it

	state  *State
	fn     *lua.LFunction
	wrap   bool
	handle weak.Pointer[lua.LState]

	status   string
	body     *thread // outermost thread; nil before the start
	top      *thread // innermost thread, while suspended
	worker   *worker
	transfer []lua.LValue  // values that resume and yield pass
	failed   *lua.ApiError // what it died of
	fatal    any           // a panic that is not Lua's, on its way to who resumed
}

const (
	suspended = "suspended"
	running   = "running"
	normal    = "normal"
	dead      = "dead"
)

// What making a coroutine and starting it takes, in instructions; the latter with what it takes to stop it.
const (
	coroutineCost = 60
	startCost     = 1000
	switchCost    = 12
)

// collection is what a garbage collection of the whole process costs a script.
const collection = 200_000

// killed unwinds a coroutine that is stopped. No pcall sees it.
type killed struct{}

func (s *State) newCoroutine(fn *lua.LFunction, wrap bool) (*coroutine, *lua.LState) {
	s.budget.charge(coroutineCost)
	handle := &lua.LState{G: s.main.G, Env: s.main.Env}
	co := &coroutine{state: s, fn: fn, wrap: wrap, status: suspended, handle: weak.Make(handle)}
	handle.SetContext(co)
	return co, handle
}

// resume runs co until it yields or ends. handle is kept alive meanwhile.
func (s *State) resume(co *coroutine, handle *lua.LState, args []lua.LValue) ([]lua.LValue, *lua.ApiError) {
	defer runtime.KeepAlive(handle)
	s.budget.charge(switchCost)
	if co.status != suspended {
		s.budget.charge(errorCost)
		return nil, s.failure("cannot resume " + co.status + " coroutine")
	}
	caller := s.top
	if caller != nil && caller.nest >= s.limits.Nesting {
		return nil, s.tooDeep()
	}
	if co.body == nil {
		s.start(co, handle)
	}
	co.body.parent = caller
	co.body.nest = 0
	var resumer *coroutine
	if caller != nil {
		co.body.nest = caller.nest + 1
		resumer = caller.co
	}
	if resumer != nil {
		resumer.status = normal
	}
	co.status, co.transfer, s.top = running, args, co.top
	co.worker.next()
	s.top = caller
	if resumer != nil {
		resumer.status = running
	}
	if co.status == dead {
		s.finished(co)
	}
	if co.fatal != nil {
		panic(co.fatal)
	}
	return co.transfer, co.failed
}

func (s *State) start(co *coroutine, handle *lua.LState) {
	s.budget.charge(startCost)
	s.stopDropped()
	if len(s.live) >= s.limits.Coroutines {
		s.budget.charge(collection)
		s.findLost()
		if len(s.live) >= s.limits.Coroutines {
			s.budget.exceeded("Coroutines", FormatNumber(float64(s.limits.Coroutines))+" at once")
		}
	}
	s.live[co] = struct{}{}
	runtime.AddCleanup(handle, s.dropped.add, weak.Make(co))
	co.body = s.newThread()
	co.body.co, co.body.quiet = co, !co.wrap
	co.top = co.body
	if n := len(s.idle); n > 0 {
		co.worker, s.idle = s.idle[n-1], s.idle[:n-1]
	} else {
		co.worker = newWorker()
	}
	co.worker.job = co.run
}

// findLost has the garbage collector look for coroutines that nobody can resume, and stops them. What it has found is told by
// another goroutine, which may take its time on a busy machine.
func (s *State) findLost() {
	for range 3 {
		told := new(atomic.Bool)
		runtime.AddCleanup(&struct{ _ [4]*byte }{}, func(told *atomic.Bool) { told.Store(true) }, told)
		runtime.GC()
		for i := 0; i < 10_000 && !told.Load(); i++ {
			runtime.Gosched()
		}
		s.stopDropped()
		if len(s.live) < s.limits.Coroutines {
			return
		}
	}
}

// run is the coroutine's life, in its worker.
func (co *coroutine) run() {
	s, t := co.state, co.body
	done := false
	defer func() {
		co.status = dead
		if done {
			return
		}
		co.transfer = nil
		defer s.drop(t)
		defer func() { co.fatal = recover() }()
		s.recovered(recover(), t, &co.failed)
	}()
	t.l.Push(co.fn)
	args := co.transfer
	for _, v := range args {
		t.l.Push(v)
	}
	t.l.Call(len(args), lua.MultRet)
	co.transfer = s.values(t.l, 1)
	s.release(t)
	done = true
}

// finished gives back what a dead coroutine used.
func (s *State) finished(co *coroutine) {
	if len(s.idle) < maxFree {
		s.idle = append(s.idle, co.worker)
	} else {
		co.worker.stop()
	}
	delete(s.live, co)
	co.worker, co.body, co.top, co.fn = nil, nil, nil, nil
}

// yield suspends the running coroutine and returns what it is resumed with.
func (s *State) yield(co *coroutine, out []lua.LValue) []lua.LValue {
	co.top, co.transfer, co.status = s.top, out, suspended
	if !co.worker.yield(struct{}{}) {
		panic(killed{})
	}
	return co.transfer
}

// kill unwinds a suspended coroutine; no Lua code runs.
func (s *State) kill(co *coroutine) {
	if co.status != suspended {
		return
	}
	if co.worker != nil {
		top := s.top
		co.worker.stop()
		s.top = top
		delete(s.live, co)
		co.worker, co.body, co.top, co.fatal = nil, nil, nil, nil
	}
	co.status, co.failed, co.transfer, co.fn = dead, nil, nil, nil
}

func (s *State) stopCoroutines() {
	for co := range s.live {
		s.kill(co)
	}
	for _, w := range s.idle {
		w.stop()
	}
}

// dropped are coroutines that scripts have lost. The garbage collector says so from a goroutine of its own, so they are
// only noted; the state stops them when it makes the next one. The notes must not lead to the state: what a cleanup leads
// to is never collected, and the state's globals may lead to the handle.
type dropped struct {
	lock sync.Mutex
	list []weak.Pointer[coroutine]
}

func (d *dropped) add(co weak.Pointer[coroutine]) {
	d.lock.Lock()
	defer d.lock.Unlock()
	d.list = append(d.list, co)
}

func (s *State) stopDropped() {
	s.dropped.lock.Lock()
	list := s.dropped.list
	s.dropped.list = nil
	s.dropped.lock.Unlock()
	for _, pointer := range list {
		if co := pointer.Value(); co != nil {
			s.kill(co)
		}
	}
}

// worker is a goroutine inside iter.Pull that runs one coroutine after the other.
type worker struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	job   func()
}

func newWorker() *worker {
	w := &worker{}
	w.next, w.stop = iter.Pull(func(yield func(struct{}) bool) {
		w.yield = yield
		for {
			w.job()
			w.job = nil
			if !yield(struct{}{}) {
				return
			}
		}
	})
	return w
}
