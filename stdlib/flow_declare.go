package stdlib

import (
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
)

// Declared is a workflow or an activity that a script declares.
type Declared struct {
	Name     string
	Fn       lua.LValue // what implements it; nil for an activity of the host
	Activity history.ActivityOptions
	Child    history.ChildOptions
}

// declared are in the order in which the script makes them.
type declared struct {
	workflows, activities []Declared
	loaded                bool // the top level has run
	again                 bool // what is declared again replaces what was there
}

// Loaded says that the top level of the file has run: from now on no activity can be given a function.
func (f *Flow) Loaded() { f.declared.loaded = true }

// Workflows are those that the script has declared so far.
func (f *Flow) Workflows() []Declared { return f.declared.workflows }

// Activities are those that the script has declared so far, its own and the host's.
func (f *Flow) Activities() []Declared { return f.declared.activities }

// Workflow finds a declared workflow.
func (f *Flow) Workflow(name string) (Declared, bool) { return find(f.declared.workflows, name) }

func find(list []Declared, name string) (Declared, bool) {
	for _, d := range list {
		if d.Name == name {
			return d, true
		}
	}
	return Declared{}, false
}

// workflow is flow.workflow(name, [options,] fn).
func (d *declared) workflow(L *lua.LState) *stub {
	const call = "flow.workflow"
	name := checkText(L, 1, call, "the workflow's name")
	at := 2
	if L.GetTop() > 2 && !callable(L, L.Get(2)) {
		at = 3
	}
	vm.Of(L).Charge(declareCost + int64(len(d.workflows)/4)) // they are looked through
	s := &stub{kind: workflowStub, name: name}
	if at == 3 {
		s.child = readChildOptions(L, call+" '"+name+"'", L.Get(2), s.child)
	}
	fn := checkCallable(L, at, call, "a function")
	own := Declared{Name: name, Fn: fn, Child: s.child}
	for i := range d.workflows {
		if d.workflows[i].Name != name {
			continue
		}
		if d.again {
			d.workflows[i] = own
			return s
		}
		vm.Throwf(L, 1, "%s: a workflow '%s' is declared already", call, name)
	}
	d.workflows = append(d.workflows, own)
	return s
}

// activity is flow.activity(name [, options] [, fn]).
func (d *declared) activity(L *lua.LState) *stub {
	const call = "flow.activity"
	name := checkText(L, 1, call, "the activity's name")
	s := &stub{kind: activityStub, name: name}
	fn := L.Get(2)
	if !callable(L, fn) {
		s.read(L, call+" '"+name+"'", fn)
		fn = L.Get(3)
	}
	if fn != lua.LNil && !callable(L, fn) {
		vm.Throwf(L, 1, "%s '%s' expects a function as its last argument, got %s", call, name, describe(fn))
	}
	if fn != lua.LNil && d.loaded {
		vm.Throwf(L, 1, "%s '%s': an activity with a function is declared at the top level of the file: each activity loads the file afresh, and what runs inside of a workflow is not run there", call, name)
	}
	d.declareActivity(L, s, fn)
	return s
}

func (d *declared) declareActivity(L *lua.LState, s *stub, fn lua.LValue) {
	vm.Of(L).Charge(declareCost + int64(len(d.activities)/4)) // they are looked through
	own := Declared{Name: s.name, Activity: s.options}
	if fn != lua.LNil {
		own.Fn = fn
	}
	for i, other := range d.activities {
		switch {
		case other.Name != s.name:
		case other.Fn != nil && own.Fn != nil && !d.again:
			vm.Throwf(L, 1, "flow.activity: an activity '%s' is implemented already", s.name)
		case own.Fn == nil:
			return
		default:
			d.activities[i] = own
			return
		}
	}
	d.activities = append(d.activities, own)
}

// activities is flow.activities { name = options, … }.
func (d *declared) activitiesTable(L *lua.LState, wrap func(*stub) lua.LValue) *lua.LTable {
	const call = "flow.activities"
	t, is := L.Get(1).(*lua.LTable)
	if !is {
		vm.Throwf(L, 1, "%s expects a table { name = options, … }, got %s", call, describe(L.Get(1)))
	}
	stubs := L.CreateTable(0, 8)
	for key, v := t.Next(lua.LNil); key != lua.LNil; key, v = t.Next(key) {
		name, isName := key.(lua.LString)
		if listed, isText := v.(lua.LString); !isName && isText { // { "list", "download" }
			name, isName, v = listed, true, lua.LNil
		}
		if !isName {
			vm.Throwf(L, 1, "%s expects { name = options, … }, got [%s] = %s", call, keyText(key), describe(v))
		}
		s := &stub{kind: activityStub, name: string(name)}
		s.read(L, call+" '"+string(name)+"'", v)
		d.declareActivity(L, s, lua.LNil)
		stubs.RawSet(name, wrap(s))
	}
	return stubs
}

var activityOptions = []string{"schedule_to_start", "start_to_close", "schedule_to_close", "heartbeat", "retry", "version"}

// read takes over options that are given and keeps the others.
func (s *stub) read(L *lua.LState, call string, v lua.LValue) {
	o := readOptions(L, call, v, activityOptions...)
	set := func(name string, to *time.Duration) {
		if o.has(name) {
			*to = o.duration(name)
		}
	}
	set("schedule_to_start", &s.options.ScheduleToStart)
	set("start_to_close", &s.options.StartToClose)
	set("schedule_to_close", &s.options.ScheduleToClose)
	set("heartbeat", &s.options.Heartbeat)
	switch version := o.value("version").(type) {
	case lua.LString:
		s.options.Version = string(version)
	case lua.LNumber:
		s.options.Version = version.String()
	case *lua.LNilType:
	default:
		o.wrong("version", "a string", version)
	}
	if !o.has("retry") {
		return
	}
	if o.value("retry") == lua.LFalse {
		s.options.Retry = nil
		return
	}
	if s.policy != nil {
		o.fail("option 'retry' cannot be combined with policy:decorate, as the attempts would multiply; give the decorated stub { retry = false }")
	}
	s.options.Retry = declaredRetry(o)
}

// readChildOptions takes over options that are given and keeps the others.
func readChildOptions(L *lua.LState, call string, v lua.LValue, child history.ChildOptions) history.ChildOptions {
	o := readOptions(L, call, v, "id", "on_parent_close")
	if o.has("id") {
		if child.ID = o.text("id"); child.ID == "" {
			o.wrong("id", "a string that names a run", o.value("id"))
		}
	}
	if o.has("on_parent_close") {
		child.OnParentClose = o.oneOf("on_parent_close", "terminate", "cancel", "abandon")
	}
	return child
}
