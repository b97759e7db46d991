package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// Flow is the flow module of one run: what its script declared, and the way from Lua into the execution tree.
type Flow struct {
	state *vm.State
	tree  *scheduler.Tree
	out   Outside

	errors   errorValues
	types    types
	declared declared
	signals  map[string]*signal
	queries  []query
	names    map[*lua.FunctionProto]string           // of branches, by the function they run
	cancel   func(*scheduler.Operation, error) error // of operations, and
	result   func(any) (any, error)                  // what makes values of what they are completed with
	spare    *Random                                 // for what a replay does not run: queries, side effects
	world    string                                  // what is running where nothing may wait, as in "a query"; "" for none
}

// types are the types of the values that the module makes.
type types struct {
	promise, stub, policy, signal, channel, semaphore, nowait userdata
}

// userdata is a type of them. Its metatable is made when the first value is: most runs need few.
type userdata struct {
	name    string
	methods func() []entry
	call    lua.LGFunction
	misused []string // events that are an error with a hint
	meta    *lua.LTable
}

// OpenFlow installs require "flow" in the state of one run.
func OpenFlow(s *vm.State, tree *scheduler.Tree, out Outside) *Flow {
	f := &Flow{state: s, tree: tree, out: out}
	f.cancel, f.result = out.Cancel, f.decodeResults
	f.errors.open(s, tree.Current)
	s.Preload("flow", func(*lua.LState) lua.LValue { return f.module() })
	return f
}

// module builds the table that require gives.
func (f *Flow) module() *lua.LTable {
	f.types = types{
		promise:   userdata{name: "promise", methods: f.promiseEntries, misused: unawaited},
		stub:      userdata{name: "stub", methods: f.stubEntries, call: f.callStub},
		policy:    userdata{name: "policy", methods: f.policyEntries},
		signal:    userdata{name: "signal", methods: f.signalEntries},
		channel:   userdata{name: "channel", methods: f.channelEntries},
		semaphore: userdata{name: "semaphore", methods: f.semaphoreEntries},
		nowait:    userdata{name: "nowait", methods: func() []entry { return nil }},
	}
	list := f.entries()
	module := f.state.Main().CreateTable(0, len(list)+1)
	for _, e := range list {
		module.RawSetString(e.name, f.state.Func("flow."+e.name, e.fn))
	}
	module.RawSetString("log", f.logTable())
	closed(f.state, module, "flow", names(list))
	return module
}

// entries are the functions of the module, by name.
func (f *Flow) entries() []entry {
	return []entry{
		{"activities", f.activities}, {"activity", f.activity}, {"all", f.all}, {"any", f.any}, {"async", f.async},
		{"await", f.await}, {"channel", f.channel}, {"continue_as_new", f.continueAsNew}, {"daemon", f.daemon},
		{"error", f.errors.make}, {"first", f.first}, {"info", f.info}, {"map", f.mapList}, {"now", f.now},
		{"nowait", f.nowait}, {"on", f.on}, {"poll", f.poll}, {"promise", f.promise}, {"query", f.query}, {"race", f.race},
		{"retry", f.retry}, {"semaphore", f.semaphore}, {"send", f.send}, {"shield", f.shield},
		{"side_effect", f.sideEffect}, {"signal", f.signal}, {"sleep", f.sleep}, {"spawn", f.spawn}, {"status", f.status},
		{"timeout", f.timeout}, {"timer", f.timer}, {"try", f.try}, {"uuid", f.uuid}, {"version", f.version},
		{"workflow", f.workflow}, {"yield", f.yield},
	}
}

func names(list []entry) []string {
	text := make([]string, len(list))
	for i, e := range list {
		text[i] = e.name
	}
	return text
}

// value makes a value of a type.
func (f *Flow) value(of *userdata, v any) *lua.LUserData {
	if of.meta == nil {
		of.meta = f.metatable(of)
	}
	return &lua.LUserData{Value: v, Metatable: of.meta}
}

// metatable makes the metatable of a type of userdata: its methods, what calling it does, and an error for any other field.
func (f *Flow) metatable(of *userdata) *lua.LTable {
	l := f.state.Main()
	name, methods := of.name, of.methods()
	index := l.CreateTable(0, len(methods))
	for _, m := range methods {
		index.RawSetString(m.name, f.state.Func(name+":"+m.name, m.fn))
	}
	closed(f.state, index, name, names(methods))
	meta := l.CreateTable(0, 4)
	meta.RawSetString("__index", index)
	meta.RawSetString("__metatable", lua.LString(name))
	meta.RawSetString("__tostring", f.state.Func("tostring", func(L *lua.LState) int {
		L.Push(lua.LString(valueText(L.Get(1))))
		return 1
	}))
	if of.call != nil {
		meta.RawSetString("__call", f.state.Func(name, of.call))
	}
	if len(of.misused) > 0 {
		hint := f.state.Func(name, misused)
		for _, event := range of.misused {
			meta.RawSetString(event, hint)
		}
	}
	return meta
}

// closed makes reading an unknown name of a table an error that suggests the nearest one.
func closed(s *vm.State, t *lua.LTable, what string, known []string) {
	meta := s.Main().CreateTable(0, 2)
	meta.RawSetString("__index", s.Func(what, func(L *lua.LState) int {
		name := L.Get(2).String()
		hint := suggest(name, known)
		if what == "promise" {
			hint += "; a promise has no fields of its value: wait for it with p:await()"
		}
		vm.Throwf(L, 1, "%s has no '%s'%s", what, name, hint)
		return 0
	}))
	meta.RawSetString("__metatable", lua.LString(what))
	t.Metatable = meta
}

// local is what the module keeps with a branch. Most branches need none.
type local struct {
	branch *scheduler.Branch
	raised *Error   // the last error that an await raised: raised again, it is still the same one
	random *Random  // the branch's own stream
	at     vm.Stack // where it waits; zero while it does not
}

// Frames tells dumps where the branch stands, else where it was started.
func (l *local) Frames() []scheduler.Frame {
	if list := l.at.Frames(); len(list) > 0 {
		return frames(list)
	}
	if s := l.branch.Site(); s != nil {
		return s.Frames()
	}
	return nil
}

func localOf(b *scheduler.Branch) *local {
	l, has := b.Local.(*local)
	if !has {
		l = &local{branch: b}
		b.Local = l
	}
	return l
}

// branch is the running branch, or an error that says why the call cannot be made here.
func (f *Flow) branch(L *lua.LState, call string) *scheduler.Branch {
	b := f.tree.Current()
	switch {
	case f.world != "":
		vm.Throwf(L, 1, "%s cannot be used in %s, which may neither wait nor start anything", call, f.world)
	case b == nil:
		vm.Throwf(L, 1, "%s can only be used while a workflow runs: move it into the workflow's function", call)
	}
	return b
}

// within runs what may neither wait nor start anything.
func (f *Flow) within(world string, run func()) {
	before := f.world
	f.world = world
	defer func() { f.world = before }()
	run()
}

// wait suspends the running branch until p has settled.
func (f *Flow) wait(b *scheduler.Branch, p *scheduler.Promise) (v any, err error) {
	if p.Settled() {
		return b.Await(p)
	}
	f.suspend(b, func() { v, err = b.Await(p) })
	return v, err
}

// suspend runs what parks the branch. Meanwhile dumps can tell where in the script it stands.
func (f *Flow) suspend(b *scheduler.Branch, wait func()) {
	l := localOf(b)
	l.at = f.state.Stack()
	f.state.Suspend(wait)
	l.at = vm.Stack{}
}

// raise raises an error of the tree in a script: what was raised at first, the same object.
func (f *Flow) raise(L *lua.LState, b *scheduler.Branch, err error) int {
	e := errorOf(err)
	if e.raised != nil && b != nil {
		localOf(b).raised = e
	}
	vm.Throw(L, f.errors.thrown(e))
	return 0
}

// finish pushes what a wait gave, or raises its failure.
func (f *Flow) finish(L *lua.LState, b *scheduler.Branch, v any, err error) int {
	if err != nil {
		return f.raise(L, b, err)
	}
	return push(L, values(v))
}

// values are the values of a promise of the tree.
func values(v any) []lua.LValue {
	list, _ := v.([]lua.LValue)
	return list
}

// first is a promise's value where there is room for one.
func first(list []lua.LValue) lua.LValue {
	if len(list) == 0 {
		return lua.LNil
	}
	return list[0]
}

func (f *Flow) site(skip int) scheduler.Site { return site{f.state.Site(skip)} }
