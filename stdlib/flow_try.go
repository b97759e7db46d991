package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// try is flow.try { body, catch =, finally =, after =, name = }.
func (f *Flow) try(L *lua.LState) int {
	const call = "flow.try"
	t, is := L.Get(1).(*lua.LTable)
	if !is {
		vm.Throwf(L, 1, "flow.try expects a table { body, catch = …, finally = …, after = { … } }, got %s", describe(L.Get(1)))
	}
	body := t.RawGetInt(1)
	if !callable(L, body) {
		vm.Throwf(L, 1, "flow.try expects a function as its first item, got %s", describe(body))
	}
	o := f.tryOptions(L, t)
	b := f.branch(L, call)
	spec := scheduler.ScopeSpec{Name: o.text("name"), Site: f.site(), After: f.after(o)}
	if spec.Name == "" {
		spec.Name = f.branchName(body)
	}
	spec.Try = func(b *scheduler.Branch, in []any) (any, error) {
		args := make([]lua.LValue, len(in))
		for i, v := range in {
			args[i] = first(valuesOf(v))
		}
		return f.call(b, body, args...)
	}
	f.catch(o, &spec)
	if o.has("finally") {
		finally := o.callable("finally")
		spec.Finally = func(b *scheduler.Branch) error {
			_, err := f.call(b, finally)
			return err
		}
		f.countFinally(&spec, finally)
		spec.Hides = hides
	}
	return f.opened(L, b, spec)
}

// hides keeps an error that another one, of finally, takes the place of: as the cause of that, if it has none.
func hides(hidden, by error) {
	cause, last := errorOf(hidden), errorOf(by)
	for e := cause; e != nil; e = e.Cause {
		if e == last {
			return // it was raised again, around another
		}
	}
	if last.Cause == nil && last.cancelled == nil {
		last.Cause = cause
	}
}

// tryOptions reads the named part of the table; more than one function by position is a mistake.
func (f *Flow) tryOptions(L *lua.LState, t *lua.LTable) options {
	named := L.CreateTable(0, 4)
	for key, v := t.Next(lua.LNil); key != lua.LNil; key, v = t.Next(key) {
		switch {
		case key == lua.LNumber(1):
		case key.Type() == lua.LTNumber:
			vm.Throwf(L, 1, "flow.try expects one function by position, got [%s] too; use catch = and finally =", keyText(key))
		default:
			named.RawSet(key, v)
		}
	}
	return readOptions(L, "flow.try", named, "catch", "finally", "after", "name")
}

func (f *Flow) opened(L *lua.LState, b *scheduler.Branch, spec scheduler.ScopeSpec) int {
	f.state.Charge(branchCost)
	scope, err := b.Try(spec)
	if err != nil {
		return f.raise(L, b, err)
	}
	L.Push(f.promiseOf(scope.Promise()))
	return 1
}

// after reads the promises that a scope waits for: one, or a list. Other values count as ready.
func (f *Flow) after(o options) []*scheduler.Promise {
	v := o.value("after")
	if p, is := toPromise(v); is {
		return []*scheduler.Promise{p}
	}
	t, is := v.(*lua.LTable)
	if !is {
		if v != lua.LNil {
			o.wrong("after", "a list of promises", v)
		}
		return nil
	}
	list := make([]*scheduler.Promise, t.Len())
	for i := range list {
		item := t.RawGetInt(i + 1)
		p, is := toPromise(item)
		if !is {
			o.fail("option 'after' expects a list of promises, got %s as item %d", describe(item), i+1)
		}
		list[i] = p
	}
	return list
}

// catch reads the catch function, or the table from error names to functions.
func (f *Flow) catch(o options, spec *scheduler.ScopeSpec) {
	v := o.value("catch")
	if v == lua.LNil {
		return
	}
	handler := func(error) lua.LValue { return v }
	if t, is := v.(*lua.LTable); is && !callable(o.L, v) {
		checkHandlers(o, t)
		handler = func(err error) lua.LValue { return chooseHandler(t, errorOf(err)) }
		spec.Matches = func(err error) bool { return handler(err) != lua.LNil }
	} else {
		o.callable("catch")
	}
	spec.Catch = func(b *scheduler.Branch, err error) (any, error) {
		return f.call(b, handler(err), f.errors.of(errorOf(err)))
	}
}

func checkHandlers(o options, t *lua.LTable) {
	for key, v := t.Next(lua.LNil); key != lua.LNil; key, v = t.Next(key) {
		_, isName := key.(lua.LString)
		switch {
		case !isName && key != lua.LNumber(1):
			o.fail("option 'catch' expects functions by error name and one default by position, got [%s]", keyText(key))
		case !callable(o.L, v):
			o.fail("option 'catch' expects a function for %s, got %s", keyText(key), describe(v))
		}
	}
}

// chooseHandler finds the function for an error: by its name, by its kinds from the nearest on, else the default.
func chooseHandler(t *lua.LTable, e *Error) lua.LValue {
	if h := t.RawGetString(e.Name); h != lua.LNil {
		return h
	}
	for _, kind := range e.Kinds {
		if h := t.RawGetString(kind); h != lua.LNil {
			return h
		}
	}
	return t.RawGetInt(1)
}

// timeout is flow.timeout(duration, fn, …): a scope that is cancelled at the deadline and fails with TimeoutError.
func (f *Flow) timeout(L *lua.LState) int {
	d := checkDuration(L, 1, "flow.timeout")
	fn := checkCallable(L, 2, "flow.timeout", "a function")
	args := arguments(L, 3)
	b := f.branch(L, "flow.timeout")
	late := f.late(b, d, f.site(), "timeout")
	var scope *scheduler.Scope
	spec := scheduler.ScopeSpec{Name: f.branchName(fn), Site: late.site}
	spec.Try = func(b *scheduler.Branch, _ []any) (any, error) {
		// The timer is a daemon of the scope: it ends with the work.
		op, err := f.beginTimer(b, d, true, late.site, nil)
		if err != nil {
			return nil, err
		}
		op.Promise().OnSettle(func() {
			if op.Promise().Ready() {
				scope.Cancel(late)
			}
		})
		return f.call(b, fn, args...)
	}
	spec.Matches = func(err error) bool {
		e := errorOf(err)
		return e.cancelled != nil && e.cancelled.Cause == late
	}
	spec.Catch = func(*scheduler.Branch, error) (any, error) { return nil, late }
	f.state.Charge(branchCost)
	scope, err := b.Try(spec)
	if err != nil {
		return f.raise(L, b, err)
	}
	L.Push(f.promiseOf(scope.Promise()))
	return 1
}
