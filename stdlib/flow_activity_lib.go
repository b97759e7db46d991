package stdlib

import (
	"errors"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

func (a *ActivityFlow) workflow(L *lua.LState) int {
	L.Push(a.stubOf(a.declared.workflow(L)))
	return 1
}

func (a *ActivityFlow) activity(L *lua.LState) int {
	L.Push(a.stubOf(a.declared.activity(L)))
	return 1
}

func (a *ActivityFlow) activities(L *lua.LState) int {
	L.Push(a.declared.activitiesTable(L, a.stubOf))
	return 1
}

func (a *ActivityFlow) stubOf(s *stub) lua.LValue {
	return &lua.LUserData{Value: s, Metatable: a.types.stub}
}

// thing stands for what a script makes at its top level for its workflow: a policy, an inbox, a promise.
type thing struct{}

func (thing) luaKind() string { return "a thing of the workflow" }

// declares takes any call while the script is loaded; it means something only in the workflow.
func (a *ActivityFlow) declares(L *lua.LState) int {
	if !a.loading {
		vm.Throwf(L, 1, "this function of flow cannot be used inside an activity: it belongs into the workflow")
	}
	L.Push(&lua.LUserData{Value: thing{}, Metatable: a.types.promise})
	return 1
}

// inert is the metatable of such things: their methods make more of them, while the script is loaded.
func (a *ActivityFlow) inert(name string) *lua.LTable {
	meta := a.state.Main().CreateTable(0, 4)
	method := a.state.Func(name, func(L *lua.LState) int {
		if !a.loading {
			vm.Throwf(L, 1, "%s cannot be used inside an activity: it belongs into the workflow", describe(L.Get(1)))
		}
		L.Push(L.Get(1))
		return 1
	})
	decorate := a.state.Func(name, func(L *lua.LState) int {
		L.Push(L.Get(2))
		return 1
	})
	waits := a.state.Func(name, a.refuse(name+":await"))
	meta.RawSetString("__index", a.state.Func(name, func(L *lua.LState) int {
		switch L.Get(2).String() {
		case "with", "set", "on":
			L.Push(method)
		case "decorate":
			L.Push(decorate)
		default:
			L.Push(waits)
		}
		return 1
	}))
	meta.RawSetString("__call", a.state.Func(name, func(L *lua.LState) int {
		return a.refuse(describe(L.Get(1)))(L)
	}))
	meta.RawSetString("__metatable", lua.LString(name))
	return meta
}

// sleep is flow.sleep(d), in real time.
func (a *ActivityFlow) sleep(L *lua.LState) int {
	d := checkDuration(L, 1, "flow.sleep")
	a.stopped(L, a.context.Sleep(d))
	return 0
}

// heartbeat is flow.heartbeat([details]).
func (a *ActivityFlow) heartbeat(L *lua.LState) int {
	if L.GetTop() == 0 {
		a.stopped(L, a.context.Heartbeat(nil))
		return 0
	}
	details, err := a.state.Encode(L.Get(1), "details")
	if err != nil {
		vm.Throwf(L, 1, "flow.heartbeat: %s", err)
	}
	a.stopped(L, a.context.Heartbeat(details))
	return 0
}

// stopped raises why the activity should stop.
func (a *ActivityFlow) stopped(L *lua.LState, err error) {
	if err == nil {
		return
	}
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Name: nameCancelled, Message: err.Error(), cancelled: &scheduler.Cancelled{}}
	}
	if e.site == nil {
		e.site = a.errors.site()
	}
	vm.Throw(L, a.errors.of(e))
}

func (a *ActivityFlow) heartbeatDetails(L *lua.LState) int {
	details := a.context.HeartbeatDetails()
	if details == nil {
		L.Push(lua.LNil)
		return 1
	}
	v, err := a.state.Decode(details)
	if err != nil {
		vm.Throwf(L, 1, "flow.heartbeat_details: %s", err)
	}
	L.Push(v)
	return 1
}

func (a *ActivityFlow) info(L *lua.LState) int {
	i := a.context.Info()
	t := L.CreateTable(0, 6)
	t.RawSetString("id", lua.LString(i.ID))
	t.RawSetString("name", lua.LString(i.Name))
	t.RawSetString("workflow", textOrNil(i.Workflow))
	t.RawSetString("attempt", lua.LNumber(i.Attempt))
	if !i.Deadline.IsZero() {
		t.RawSetString("deadline", lua.LNumber(float64(i.Deadline.UnixNano())/1e9))
	}
	t.RawSetString("idempotency_key", lua.LString(i.IdempotencyKey))
	L.Push(t)
	return 1
}
