package stdlib

import (
	"time"

	lua "github.com/yuin/gopher-lua"
)

// runActivities is t:activities([name]).
func (w *kit) runActivities(L *lua.LState, r *testRun) int {
	only := L.Get(2)
	if s, is := toStub(only); is {
		only = lua.LString(s.name)
	} else if only != lua.LNil {
		only = lua.LString(checkText(L, 2, "run:activities", "the name of an activity"))
	}
	list := L.CreateTable(8, 0)
	began := r.Info().Created
	for _, a := range r.Activities() {
		if only == lua.LNil || only == lua.LString(a.Name) {
			list.Append(w.activity(L, a, began))
		}
	}
	L.Push(list)
	return 1
}

// runOrder is t:order(): the names of its activities.
func (w *kit) runOrder(L *lua.LState, r *testRun) int {
	list := L.CreateTable(8, 0)
	for _, a := range r.Activities() {
		list.Append(lua.LString(a.Name))
	}
	L.Push(list)
	return 1
}

func (w *kit) activity(L *lua.LState, a TestActivity, began time.Time) *lua.LTable {
	t := L.CreateTable(0, 8)
	args := L.CreateTable(0, 0)
	for i, v := range w.values(L, "run:activities", a.Args) {
		args.RawSetInt(i+1, v)
	}
	t.RawSetString("name", lua.LString(a.Name))
	t.RawSetString("args", args)
	t.RawSetString("attempts", lua.LNumber(a.Attempts))
	t.RawSetString("began", seconds(a.Began.Sub(began)))
	state := "open"
	switch {
	case a.Failure != nil:
		state = "failed"
		t.RawSetString("error", w.flow.errors.of(FromFailure(a.Failure)))
	case a.Result != nil:
		state = "completed"
		t.RawSetString("result", first(w.values(L, "run:activities", a.Result)))
	}
	t.RawSetString("state", lua.LString(state))
	if !a.Ended.IsZero() {
		t.RawSetString("ended", seconds(a.Ended.Sub(began)))
	}
	return t
}
