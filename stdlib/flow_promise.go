package stdlib

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

var promiseMethods = []method{
	{"await", (*Flow).promiseAwait}, {"cancel", (*Flow).promiseCancel}, {"chain", (*Flow).promiseChain}, {"fail", (*Flow).promiseFail},
	{"get", (*Flow).promiseGet}, {"outcome", (*Flow).promiseOutcome}, {"ready", (*Flow).promiseReady}, {"set", (*Flow).promiseSet},
	{"unchain", (*Flow).promiseUnchain},
}

// promise is flow.promise([description]): one that the script sets itself.
func (f *Flow) promise(L *lua.LState) int {
	description := ""
	if L.Get(1) != lua.LNil {
		description = checkText(L, 1, "flow.promise", "a description")
	}
	L.Push(f.promiseOf(f.tree.Promise(f.tree.Current(), description)))
	return 1
}

// promiseAwait is p:await([timeout]).
func (f *Flow) promiseAwait(L *lua.LState) int {
	p := checkPromise(L, 1, "promise:await")
	b := f.branch(L, "promise:await")
	d, limited := checkTimeout(L, 2, "promise:await")
	if !limited {
		v, err := f.wait(b, p)
		return f.finish(L, b, v, err)
	}
	v, err := f.waitUntil(b, p, d)
	return f.finish(L, b, v, err)
}

// await is flow.await(p, …): all of them; each gives its first value, the last one all of its values.
func (f *Flow) await(L *lua.LState) int {
	n := max(L.GetTop(), 1)
	list := make([]*scheduler.Promise, n)
	for i := range list {
		list[i] = checkPromise(L, i+1, "flow.await")
	}
	b := f.branch(L, "flow.await")
	if n > 1 {
		// Waiting for one after the other would leave the failure of a later one unseen, and it would fail the scope.
		if _, err := f.wait(b, scheduler.All(b, list)); err != nil {
			return f.raise(L, b, err)
		}
	}
	pushed := 0
	for i, p := range list {
		v, err := f.wait(b, p)
		switch {
		case err != nil:
			return f.raise(L, b, err)
		case i == n-1:
			return pushed + push(L, valuesOf(v))
		}
		L.Push(first(valuesOf(v)))
		pushed++
	}
	return pushed
}

func (f *Flow) promiseReady(L *lua.LState) int {
	L.Push(lua.LBool(checkPromise(L, 1, "promise:ready").Settled()))
	return 1
}

func (f *Flow) promiseGet(L *lua.LState) int {
	p := checkPromise(L, 1, "promise:get")
	if !p.Settled() {
		vm.Throwf(L, 1, "promise:get: not ready: %s has not settled; wait for it with p:await()", describePromise(p))
	}
	p.Observe()
	v, err := p.Get()
	return f.finish(L, f.tree.Current(), v, err)
}

func (f *Flow) promiseCancel(L *lua.LState) int {
	p := checkPromise(L, 1, "promise:cancel")
	f.changes(L, "promise:cancel")
	p.Cancel(f.reason(L.Get(2)))
	return 0
}

func (f *Flow) promiseSet(L *lua.LState) int {
	p := checkPromise(L, 1, "promise:set")
	f.changes(L, "promise:set")
	f.settled(L, "promise:set", p.Set(arguments(L, 2)))
	return 0
}

func (f *Flow) promiseFail(L *lua.LState) int {
	p := checkPromise(L, 1, "promise:fail")
	f.changes(L, "promise:fail")
	e := f.errors.raised(L.Get(2))
	if e.site == nil && e.trace == nil {
		e.site = f.site()
	}
	if e.branch == nil {
		e.branch = f.tree.Current()
	}
	f.settled(L, "promise:fail", p.Fail(e))
	return 0
}

func (f *Flow) promiseChain(L *lua.LState) int {
	p, source := checkPromise(L, 1, "promise:chain"), checkPromise(L, 2, "promise:chain")
	f.changes(L, "promise:chain")
	f.settled(L, "promise:chain", p.Chain(source))
	return 0
}

func (f *Flow) promiseUnchain(L *lua.LState) int {
	p := checkPromise(L, 1, "promise:unchain")
	f.changes(L, "promise:unchain")
	f.settled(L, "promise:unchain", p.Unchain())
	return 0
}

// settled raises the tree's answer to a misuse of a promise at the script's line.
func (f *Flow) settled(L *lua.LState, call string, err error) {
	switch e := err.(type) {
	case nil:
	case *scheduler.AlreadySettled:
		vm.Throwf(L, 1, "%s: %s", call, already(e))
	default:
		vm.Throwf(L, 1, "%s: %s", call, err)
	}
}

// already says what a promise has got, without addresses, which differ from one process to the next.
func already(e *scheduler.AlreadySettled) string {
	if e.Err != nil {
		return "already failed with: " + errorOf(e.Err).Error()
	}
	var b strings.Builder
	for i, v := range valuesOf(e.Value) {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == 5 {
			b.WriteString("…")
			break
		}
		b.WriteString(describe(v))
	}
	return "already set to (" + b.String() + ")"
}

// promiseOutcome is p:outcome(): { ok, value | error }, never a failure.
func (f *Flow) promiseOutcome(L *lua.LState) int {
	p := checkPromise(L, 1, "promise:outcome")
	b := f.branch(L, "promise:outcome")
	return f.following(L, b, scheduler.Outcome(b, p), scheduler.Spec{
		Name: "outcome",
		Body: func(_ *scheduler.Branch, in []any) (any, error) {
			settled, _ := in[0].(scheduler.Settled)
			t := f.state.Main().CreateTable(0, 2)
			t.RawSetString("ok", lua.LBool(settled.Err == nil))
			if settled.Err != nil {
				t.RawSetString("error", f.errors.of(errorOf(settled.Err)))
			} else {
				t.RawSetString("value", first(valuesOf(settled.Value)))
			}
			return []lua.LValue{t}, nil
		},
	})
}

// describePromise says what a promise is of, as far as is known.
func describePromise(p *scheduler.Promise) string {
	if d := p.Description(); d != "" {
		return fmt.Sprintf("the promise '%s'", d)
	}
	return "the promise"
}

// valueText is what tostring gives for a value of this module: "promise (door, waiting)".
func valueText(v lua.LValue) string {
	p, is := toPromise(v)
	if !is {
		return describe(v)
	}
	state := "waiting"
	switch {
	case p.Ready():
		state = "ready"
	case p.Settled():
		state = "failed"
	}
	if d := p.Description(); d != "" {
		state = d + ", " + state
	}
	return "promise (" + state + ")"
}

// unawaited are the operators of promises, which say what was forgotten: `total + price(item)`.
var unawaited = []string{"__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__concat", "__len", "__lt", "__le", "__call"}

func misused(L *lua.LState) int {
	vm.Throwf(L, 1, "a promise was used as a value; did you forget p:await()?")
	return 0
}
