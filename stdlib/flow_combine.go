package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// member is one entry of a table that is combined: a promise, or a value that is there already.
type member struct {
	key, value lua.LValue
	promise    *scheduler.Promise
}

// members reads a table in the order of pairs.
func (f *Flow) members(L *lua.LState, call string) ([]member, []*scheduler.Promise) {
	t, is := L.Get(1).(*lua.LTable)
	if !is {
		hint := ""
		if _, is := toPromise(L.Get(1)); is {
			hint = "; put the promises into a table: " + call + "{p1, p2}"
		}
		vm.Throwf(L, 1, "%s expects a table of promises, got %s%s", call, describe(L.Get(1)), hint)
	}
	var list []member
	var promises []*scheduler.Promise
	for key, v := t.Next(lua.LNil); key != lua.LNil; key, v = t.Next(key) {
		f.state.Charge(memberCost)
		m := member{key: key, value: v}
		if p, is := toPromise(v); is {
			m.promise = p
			promises = append(promises, p)
		} else if s, is := toStub(v); is {
			vm.Throwf(L, 1, "%s: [%s] is %s; did you forget to call it?", call, keyText(key), s.luaKind())
		}
		list = append(list, m)
	}
	return list, promises
}

// all is flow.all(t): a promise of a table with the values under the same keys.
func (f *Flow) all(L *lua.LState) int {
	b := f.branch(L, "flow.all")
	list, promises := f.members(L, "flow.all")
	return f.started(L, b, scheduler.Spec{Name: "all", After: promises, Body: func(_ *scheduler.Branch, in []any) (any, error) {
		t, n := f.state.Main().CreateTable(len(list), 0), 0
		for _, m := range list {
			if m.promise != nil {
				m.value = first(valuesOf(in[n]))
				n++
			}
			t.RawSet(m.key, m.value)
		}
		return []lua.LValue{t}, nil
	}})
}

// any is flow.any(t): the first success and its key.
func (f *Flow) any(L *lua.LState) int { return f.pick(L, "any", scheduler.Any, false) }

// race is flow.race(t): the first to settle and its key.
func (f *Flow) race(L *lua.LState) int { return f.pick(L, "race", scheduler.Race, false) }

// first is flow.first(t): any that cancels the others.
func (f *Flow) first(L *lua.LState) int { return f.pick(L, "first", scheduler.Any, true) }

type combinator func(*scheduler.Branch, []*scheduler.Promise) *scheduler.Promise

func (f *Flow) pick(L *lua.LState, name string, combine combinator, cancel bool) int {
	b := f.branch(L, "flow."+name)
	list, promises := f.members(L, "flow."+name)
	if len(list) == 0 {
		vm.Throwf(L, 1, "flow.%s expects at least one promise, got an empty table: it would never be ready", name)
	}
	body := func(_ *scheduler.Branch, in []any) (any, error) {
		winner := in[0].(scheduler.Winner)
		return []lua.LValue{first(valuesOf(winner.Value)), list[winner.Index].key}, nil
	}
	for _, m := range list {
		if m.promise == nil { // a value has won already
			for _, p := range promises {
				p.Observe()
				if cancel {
					p.Cancel(nil)
				}
			}
			return f.started(L, b, scheduler.Spec{Name: name, Body: func(*scheduler.Branch, []any) (any, error) {
				return []lua.LValue{m.value, m.key}, nil
			}})
		}
	}
	won := combine(b, promises)
	if cancel {
		won.OnSettle(func() {
			if !won.Ready() {
				return
			}
			for _, p := range promises {
				if !p.Settled() {
					p.Cancel(nil)
				}
			}
		})
	}
	return f.following(L, b, won, scheduler.Spec{Name: name, Body: body})
}

// following starts a branch that passes on what a combinator of the tree comes to. If the branch is cancelled so is the
// combinator: nobody else could learn what it comes to.
func (f *Flow) following(L *lua.LState, b *scheduler.Branch, of *scheduler.Promise, spec scheduler.Spec) int {
	spec.Site, spec.After = f.site(), []*scheduler.Promise{of}
	p, err := b.Spawn(spec)
	if err != nil {
		return f.raise(L, b, err)
	}
	p.OnSettle(func() { of.Cancel(nil) })
	L.Push(f.promiseOf(p))
	return 1
}
