package stdlib

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
)

// testRun is a run under test as a spec holds it.
type testRun struct {
	TestRun
	at time.Duration // since its start, of what is done to it; 0: now
}

func (r *testRun) luaKind() string     { return fmt.Sprintf("run '%s'", r.Info().ID) }
func (r *testRun) cannotLeave() string { return r.luaKind() + " cannot leave the test" }

type runMethod struct {
	name string
	fn   func(w *kit, L *lua.LState, r *testRun) int
}

func runMethods() []runMethod {
	return []runMethod{
		{"activities", (*kit).runActivities}, {"at", (*kit).runAt}, {"cancel", (*kit).runCancel}, {"children", (*kit).runChildren},
		{"elapsed", (*kit).runElapsed}, {"error", (*kit).runError}, {"id", (*kit).runID}, {"order", (*kit).runOrder}, {"query", (*kit).runQuery},
		{"result", (*kit).runResult}, {"signal", (*kit).runSignal}, {"state", (*kit).runState}, {"status", (*kit).runStatus},
		{"tree", (*kit).runTree}, {"waits", (*kit).runWaits},
	}
}

func (w *kit) runValue(r TestRun) lua.LValue { return w.testRunValue(&testRun{TestRun: r}) }

func (w *kit) testRunValue(r *testRun) lua.LValue {
	if w.runMeta == nil {
		s := w.flow.state
		methods := s.Main().CreateTable(0, 16)
		var known []string
		for _, m := range runMethods() {
			known = append(known, m.name)
			methods.RawSetString(m.name, s.Func("run:"+m.name, func(L *lua.LState) int {
				r, is := held[*testRun](L.Get(1))
				if !is {
					vm.Throwf(L, 1, "run:%s expects a run, got %s; call it with a colon: t:%s(…)", m.name, describe(L.Get(1)), m.name)
				}
				return m.fn(w, L, r)
			}))
		}
		closed(s, methods, "run", known)
		w.runMeta = s.Main().CreateTable(0, 4)
		w.runMeta.RawSetString("__index", methods)
		w.runMeta.RawSetString("__tostring", s.Func("tostring", func(L *lua.LState) int {
			L.Push(lua.LString(describe(L.Get(1))))
			return 1
		}))
		w.runMeta.RawSetString("__metatable", lua.LString("run"))
	}
	return &lua.LUserData{Value: r, Metatable: w.runMeta}
}

func (w *kit) runID(L *lua.LState, r *testRun) int {
	L.Push(lua.LString(r.Info().ID))
	return 1
}

// runAt is t:at(time): the run, to which something happens when it is so old.
func (w *kit) runAt(L *lua.LState, r *testRun) int {
	d := checkDuration(L, 2, "run:at")
	L.Push(w.testRunValue(&testRun{r.TestRun, d}))
	return 1
}

func (w *kit) runSignal(L *lua.LState, r *testRun) int {
	name := checkText(L, 2, "run:signal", "the signal's name")
	payload, err := w.flow.state.EncodeAll(arguments(L, 3), "signal")
	if err == nil {
		err = r.Signal(r.at, name, payload)
	}
	return w.told(L, r, "run:signal", err)
}

func (w *kit) runCancel(L *lua.LState, r *testRun) int {
	var reason []lua.LValue
	if L.Get(2) != lua.LNil {
		reason = append(reason, L.Get(2))
	}
	payload, err := w.flow.state.EncodeAll(reason, "reason")
	if err == nil {
		err = r.Cancel(r.at, payload)
	}
	return w.told(L, r, "run:cancel", err)
}

// told waits until the run has done what it does when it is told.
func (w *kit) told(L *lua.LState, r *testRun, call string, err error) int {
	if err != nil {
		vm.Throwf(L, 1, "%s: %s", call, err)
	}
	if r.at == 0 {
		w.ask(L, call, "until the run has done what it can do now", AskSettled, "")
	}
	return 0
}

// ended waits for the end.
func (w *kit) ended(L *lua.LState, r *testRun, call string) history.Run {
	for {
		info := r.Info()
		if info.Status != history.Open && info.Status != history.Continued {
			r.Looked()
			return info
		}
		w.ask(L, call, fmt.Sprintf("the end of run '%s'", info.ID), AskEnded, info.ID)
	}
}

func (w *kit) runResult(L *lua.LState, r *testRun) int {
	info := w.ended(L, r, "run:result")
	if info.Status != history.Completed {
		e := FromFailure(info.Failure)
		e.site, e.branch = w.flow.site(), w.flow.tree.Current()
		vm.Throw(L, w.flow.errors.of(e))
	}
	return push(L, w.values(L, "run:result", info.Result))
}

func (w *kit) values(L *lua.LState, call string, payload json.RawMessage) []lua.LValue {
	values, err := w.flow.state.DecodeAll(payload)
	if err != nil {
		vm.Throwf(L, 1, "%s: %s", call, err)
	}
	return values
}

func (w *kit) runError(L *lua.LState, r *testRun) int {
	info := w.ended(L, r, "run:error")
	if info.Status == history.Completed {
		v := &verdict{asserts: w.asserts, L: L}
		w.fail(L, fmt.Sprintf("expected run '%s' to fail, it completed with %s", info.ID, v.showAll(w.values(L, "run:error", info.Result))), nil, nil)
	}
	L.Push(w.flow.errors.of(FromFailure(info.Failure)))
	return 1
}

func (w *kit) runState(L *lua.LState, r *testRun) int {
	info := r.Info()
	if info.Status != history.Open {
		r.Looked()
	}
	L.Push(lua.LString(info.Status))
	return 1
}

func (w *kit) runStatus(L *lua.LState, r *testRun) int {
	info := r.Info()
	if info.State == nil {
		return 0
	}
	return push(L, w.values(L, "run:status", info.State))
}

func (w *kit) runQuery(L *lua.LState, r *testRun) int {
	name := checkText(L, 2, "run:query", "the query's name")
	payload, err := w.flow.state.EncodeAll(arguments(L, 3), "query")
	if err == nil {
		payload, err = r.Query(name, payload)
	}
	if err != nil {
		vm.Throwf(L, 1, "run:query: %s", err)
	}
	return push(L, w.values(L, "run:query", payload))
}

func (w *kit) runElapsed(L *lua.LState, r *testRun) int {
	info := r.Info()
	end := info.Closed
	if end.IsZero() {
		end = w.flow.out.Now()
	}
	L.Push(seconds(end.Sub(info.Created)))
	return 1
}

func seconds(d time.Duration) lua.LNumber { return lua.LNumber(d.Seconds()) }

func (w *kit) runChildren(L *lua.LState, r *testRun) int {
	list := L.CreateTable(4, 0)
	for _, child := range r.Children() {
		list.Append(w.runValue(child))
	}
	L.Push(list)
	return 1
}

func (w *kit) runTree(L *lua.LState, r *testRun) int {
	L.Push(lua.LString(r.Tree()))
	return 1
}

func (w *kit) runWaits(L *lua.LState, r *testRun) int {
	list := L.CreateTable(4, 0)
	for _, text := range slices.Clone(r.Waits()) {
		list.Append(lua.LString(text))
	}
	L.Push(list)
	return 1
}
