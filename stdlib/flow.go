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

	errors    errorValues
	types     *types
	declared  declared
	workflows *lua.LTable // of a session: the global of that name
	signals   map[string]*signal
	finallies []Finally
	queries   []query
	names     map[*lua.FunctionProto]string           // of branches, by the function they run
	cancel    func(*scheduler.Operation, error) error // of operations, and
	result    func(any) (any, error)                  // what makes values of what they are completed with
	spare     *Random                                 // for what a replay does not run: queries, side effects
	further   []further                               // fields of the module
	world     string                                  // what is running where nothing may wait, as in "a query"; "" for none
}

// OpenFlow installs require "flow" in the state of one run.
func OpenFlow(s *vm.State, tree *scheduler.Tree, out Outside) *Flow {
	f := &Flow{state: s, tree: tree, out: out, types: flowTypes()}
	s.Local = f
	f.cancel, f.result = out.Cancel, f.decodeResults
	f.errors.open(s, tree.Current)
	s.Inside = visitHeld
	s.Preload("flow", func(*lua.LState) lua.LValue { return f.module() })
	return f
}

// further is a field of the module that is not there everywhere.
type further struct {
	name string
	open func() lua.LValue
}

// Extend gives the module one more field, made when a script first looks it up.
func (f *Flow) Extend(name string, open func() lua.LValue) {
	f.further = append(f.further, further{name, open})
}

// flowFunctions are those of the module, by name.
var flowFunctions = []method{
	{"activities", (*Flow).activities}, {"activity", (*Flow).activity}, {"all", (*Flow).all}, {"any", (*Flow).any},
	{"async", (*Flow).async}, {"await", (*Flow).await}, {"channel", (*Flow).channel},
	{"continue_as_new", (*Flow).continueAsNew}, {"daemon", (*Flow).daemon}, {"error", (*Flow).error},
	{"first", (*Flow).first}, {"info", (*Flow).info}, {"map", (*Flow).mapList}, {"now", (*Flow).now},
	{"nowait", (*Flow).nowait}, {"on", (*Flow).on}, {"poll", (*Flow).poll}, {"promise", (*Flow).promise},
	{"query", (*Flow).query}, {"race", (*Flow).race}, {"retry", (*Flow).retry}, {"semaphore", (*Flow).semaphore},
	{"send", (*Flow).send}, {"shield", (*Flow).shield}, {"side_effect", (*Flow).sideEffect}, {"signal", (*Flow).signal},
	{"sleep", (*Flow).sleep}, {"spawn", (*Flow).spawn}, {"status", (*Flow).status}, {"timeout", (*Flow).timeout},
	{"timer", (*Flow).timer}, {"try", (*Flow).try}, {"uuid", (*Flow).uuid}, {"version", (*Flow).version},
	{"workflow", (*Flow).workflow}, {"yield", (*Flow).yield},
}

// module builds the table that require gives.
func (f *Flow) module() *lua.LTable {
	t := f.state.Main().CreateTable(0, 8)
	t.Metatable = f.types.module
	f.state.Later(t, func() { // pairs shows them all
		functions := f.types.module.RawGetString(allFunctions).(*lua.LTable)
		for _, name := range append(methodNames(flowFunctions), "log") {
			if t.RawGetString(name) == lua.LNil {
				t.RawSetString(name, f.field(functions, name))
			}
		}
	})
	return t
}

// error is flow.error(name, message [, fields]).
func (f *Flow) error(L *lua.LState) int { return f.errors.make(L) }

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

// callCost is what a call into the tree takes from the budget of instructions: about its time, and a bound for what a
// turn can start.
const callCost = 20

// What else takes long, in instructions.
const (
	branchCost  = 40  // running a branch
	failureCost = 200 // of an attempt that is retried
	memberCost  = 10  // of a table that is combined
	infoCost    = 80
	logCost     = 20
	declareCost = 30
)

// branch is the running branch, or an error that says why the call cannot be made here.
func (f *Flow) branch(L *lua.LState, call string) *scheduler.Branch {
	f.state.Charge(callCost)
	b := f.tree.Current()
	switch {
	case f.world != "":
		vm.Throwf(L, 1, "%s cannot be used in %s, which may neither wait nor start anything", call, f.world)
	case b == nil:
		vm.Throwf(L, 1, "%s can only be used while a workflow runs: move it into the workflow's function", call)
	}
	return b
}

// within runs what may neither wait nor start anything. A coroutine around it cannot be left from inside: it would come back
// when the world is another one.
func (f *Flow) within(world string, run func()) {
	before := f.world
	f.world = world
	defer func() { f.world = before }()
	f.state.Suspend(run)
}

// changes refuses a call that changes the run where only looking is allowed: a replay does not run that.
func (f *Flow) changes(L *lua.LState, call string) {
	if f.world != "" {
		vm.Throwf(L, 1, "%s cannot be used in %s, which may change nothing of the run", call, f.world)
	}
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
	return push(L, valuesOf(v))
}

// valuesOf are the values of a promise of the tree.
func valuesOf(v any) []lua.LValue {
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

func (f *Flow) site() scheduler.Site { return site{f.state.Site()} }
