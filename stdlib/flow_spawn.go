package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// spawn is flow.spawn(fn, …).
func (f *Flow) spawn(L *lua.LState) int { return f.start(L, "flow.spawn", false) }

// daemon is flow.daemon(fn, …).
func (f *Flow) daemon(L *lua.LState) int { return f.start(L, "flow.daemon", true) }

func (f *Flow) start(L *lua.LState, call string, daemon bool) int {
	fn := checkCallable(L, 1, call, "a function")
	b := f.branch(L, call)
	return f.started(L, b, scheduler.Spec{
		Name: f.branchName(fn), Daemon: daemon, Body: f.Body(fn, arguments(L, 2)),
	})
}

// started spawns a branch and pushes its promise.
func (f *Flow) started(L *lua.LState, b *scheduler.Branch, spec scheduler.Spec) int {
	if spec.Site == nil {
		spec.Site = f.site()
	}
	f.state.Charge(branchCost)
	p, err := b.Spawn(spec)
	if err != nil {
		return f.raise(L, b, err)
	}
	L.Push(f.promiseOf(p))
	return 1
}

// async is flow.async(fn): a function whose calls wait for the promises among their arguments.
func (f *Flow) async(L *lua.LState) int {
	fn := checkCallable(L, 1, "flow.async", "a function")
	name := f.branchName(fn)
	L.Push(f.state.Func(name, func(L *lua.LState) int {
		b := f.branch(L, "an asynchronous function")
		args, after := f.split(arguments(L, 1))
		return f.started(L, b, scheduler.Spec{Name: name, After: after, Body: func(b *scheduler.Branch, in []any) (any, error) {
			return f.call(b, fn, fill(args, in)...)
		}})
	}))
	return 1
}

// split takes the promises out of a list of arguments, to be waited for. A promise in flow.nowait stays, as itself.
func (f *Flow) split(args []lua.LValue) ([]lua.LValue, []*scheduler.Promise) {
	var after []*scheduler.Promise
	for i, v := range args {
		ud, is := v.(*lua.LUserData)
		if !is {
			continue
		}
		switch inner := ud.Value.(type) {
		case *scheduler.Promise:
			after = append(after, inner)
			args[i] = hole
		case nowaited:
			args[i] = inner.promise
		}
	}
	return args, after
}

// hole keeps the place of a value that is not there yet.
var hole lua.LValue = &lua.LUserData{}

// fill puts the first values of promises where split took them out; it makes a copy, as a retry calls again.
func fill(args []lua.LValue, in []any) []lua.LValue {
	if len(in) == 0 {
		return args
	}
	list := make([]lua.LValue, len(args))
	n := 0
	for i, v := range args {
		if v == hole {
			v = first(valuesOf(in[n]))
			n++
		}
		list[i] = v
	}
	return list
}

// nowaited is a promise to be passed as itself.
type nowaited struct{ promise lua.LValue }

func (nowaited) luaKind() string     { return "flow.nowait(promise)" }
func (nowaited) cannotLeave() string { return "a promise cannot leave the run: await it first" }

// nowait is flow.nowait(p).
func (f *Flow) nowait(L *lua.LState) int {
	checkPromise(L, 1, "flow.nowait")
	L.Push(value(f.types.nowait, nowaited{L.Get(1)}))
	return 1
}

// yield is flow.yield().
func (f *Flow) yield(L *lua.LState) int {
	return f.rest(L, f.branch(L, "flow.yield"))
}

func (f *Flow) rest(L *lua.LState, b *scheduler.Branch) int {
	var err error
	f.suspend(b, func() { err = b.Yield() })
	return f.finish(L, b, nil, err)
}

// shield is flow.shield(fn, …): it runs fn to its end whatever is cancelled, and waits for it.
func (f *Flow) shield(L *lua.LState) int {
	fn := checkCallable(L, 1, "flow.shield", "a function")
	b := f.branch(L, "flow.shield")
	spec := scheduler.Spec{Name: f.branchName(fn), Site: f.site(), Body: f.Body(fn, arguments(L, 2))}
	var v any
	var err error
	f.suspend(b, func() { v, err = b.Shield(spec) })
	return f.finish(L, b, v, err)
}

func toPromise(v lua.LValue) (*scheduler.Promise, bool) { return held[*scheduler.Promise](v) }

// checkPromise takes a promise, or says what is missing: most often a call.
func checkPromise(L *lua.LState, n int, call string) *scheduler.Promise {
	v := L.Get(n)
	p, is := toPromise(v)
	if !is {
		hint := ""
		switch {
		case callable(L, v):
			hint = "; did you forget to call it?"
		case v == lua.LNil:
			hint = "; did the function forget to return it?"
		}
		vm.Throwf(L, 1, "%s expects a promise as argument #%d, got %s%s", call, n, describe(v), hint)
	}
	return p
}

func (f *Flow) promiseOf(p *scheduler.Promise) *lua.LUserData {
	f.state.Hold(heldByCall)
	return value(f.types.promise, p)
}
