package stdlib

import (
	"encoding/json"
	"log/slog"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// ActivityContext is what a Lua activity asks of the engine that runs it.
type ActivityContext interface {
	// Heartbeat reports progress; nil details keep those before. The error says that the activity should stop: a
	// *scheduler.Cancelled or a *history.Failure named CancelledError is raised as CancelledError.
	Heartbeat(details json.RawMessage) error
	// HeartbeatDetails are the last details of the attempt before: one JSON value, nil if there are none.
	HeartbeatDetails() json.RawMessage
	Info() ActivityInfo
	// Sleep waits in real time. The error is as for Heartbeat.
	Sleep(d time.Duration) error
	Log(level slog.Level, message string, attrs ...slog.Attr)
}

// ActivityInfo describes an attempt (flow.activity_info).
type ActivityInfo struct {
	ID             string // of the call, within the run
	Name           string
	Workflow       string // id of the run
	Attempt        int    // from 1
	Deadline       time.Time
	IdempotencyKey string // the same for all attempts of a call
}

// ActivityFlow is the flow module in the Lua state of an activity. Loading the script there declares what it declares; then
// its functions can be called, and all that needs a workflow is an error that says so.
type ActivityFlow struct {
	state    *vm.State
	context  ActivityContext
	errors   errorValues
	types    types
	declared declared
	loading  bool
	ofSpec   lua.LValue // what stands for flow.test, if the script is a spec file
}

// OpenActivityFlow installs require "flow" in the state of an activity.
func OpenActivityFlow(s *vm.State, context ActivityContext) *ActivityFlow {
	a := &ActivityFlow{state: s, context: context}
	a.errors.open(s, nil)
	s.Preload("flow", func(*lua.LState) lua.LValue { return a.module() })
	return a
}

// stopLoading ends the loading of a script at the first thing that only a workflow can do: what comes after is the body
// of a workflow.
type stopLoading struct{}

// Load runs the top level of a script, as far as it declares things. Errors are *Error.
func (a *ActivityFlow) Load(main *lua.LFunction) (err error) {
	a.loading = true
	defer func() {
		a.loading = false
		if r := recover(); r != nil {
			if _, stopped := r.(stopLoading); !stopped {
				panic(r)
			}
		}
	}()
	_, err = a.Call(main)
	return err
}

// Call calls a function of the script. Errors are *Error.
func (a *ActivityFlow) Call(fn lua.LValue, args ...lua.LValue) ([]lua.LValue, error) {
	results, err := a.state.Call(fn, args...)
	if failed, is := err.(*vm.Error); is {
		return nil, a.errors.uncaught(failed)
	}
	return results, err
}

// Activity finds an activity that the script implements.
func (a *ActivityFlow) Activity(name string) (Declared, bool) {
	d, found := find(a.declared.activities, name)
	return d, found && d.Fn != nil
}

func (a *ActivityFlow) module() *lua.LTable {
	list := a.entries()
	known := names(list)
	module := a.state.Main().CreateTable(0, len(list)+40)
	for _, e := range list {
		module.RawSetString(e.name, a.state.Func("flow."+e.name, e.fn))
	}
	for _, e := range flowFunctions {
		if module.RawGetString(e.name) == lua.LNil {
			known = append(known, e.name)
			module.RawSetString(e.name, a.state.Func("flow."+e.name, a.refuse("flow."+e.name)))
		}
	}
	module.RawSetString("log", logTable(a.state, a.context.Log))
	closed(a.state, module, "flow", known)
	a.types.stub = a.inert("stub")
	a.types.promise = a.inert("promise")
	if a.ofSpec != nil {
		module.RawSetString("test", a.ofSpec)
		module.RawSetString("explore", a.ofSpec)
	}
	return module
}

func (a *ActivityFlow) entries() []entry {
	return []entry{
		{"activities", a.activities}, {"activity", a.activity}, {"activity_info", a.info}, {"async", a.declares},
		{"error", a.errors.make}, {"heartbeat", a.heartbeat}, {"heartbeat_details", a.heartbeatDetails}, {"nowait", a.declares},
		{"on", a.declares}, {"promise", a.declares}, {"query", a.declares}, {"retry", a.declares}, {"signal", a.declares},
		{"channel", a.declares}, {"semaphore", a.declares}, {"sleep", a.sleep}, {"workflow", a.workflow},
	}
}

// refuse is what the functions of a workflow do here.
func (a *ActivityFlow) refuse(call string) lua.LGFunction {
	return func(L *lua.LState) int {
		if a.loading {
			panic(stopLoading{})
		}
		vm.Throwf(L, 1, "%s cannot be used inside an activity: it belongs into the workflow", call)
		return 0
	}
}
