package stdlib

import (
	"encoding/json"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// Tester is the world around a test, as flow.test sees it. Calls come from inside of a turn of the test.
type Tester interface {
	// Start begins a run. of is the function that the test's file, or one that it requires, declares for the workflow; nil: it
	// declares none.
	Start(workflow string, of *lua.FunctionProto, id string, input json.RawMessage) (TestRun, error)
	// Stub says what becomes of the attempts at an activity from now on, and of children of that name.
	Stub(plan *StubPlan)
	// Elapsed is how much time has passed since the test began.
	Elapsed() time.Duration
}

// TestRun is a run that a test has started, or a child of one. What it tells is of the latest run of its ID.
type TestRun interface {
	Info() history.Run
	Signal(after time.Duration, name string, args json.RawMessage) error
	Cancel(after time.Duration, reason json.RawMessage) error // reason: JSON array of none or one
	Query(name string, args json.RawMessage) (json.RawMessage, error)
	Activities() []TestActivity
	Children() []TestRun
	Tree() string
	Waits() []string
	// Looked notes that the test has seen how the run ended.
	Looked()
}

// TestActivity is an activity that a run has begun.
type TestActivity struct {
	Name         string
	Args         json.RawMessage
	Attempts     int
	Began, Ended time.Time // Ended is zero while it is open
	Result       json.RawMessage
	Failure      *history.Failure
}

// MailTester is where the questions of a test go that it waits for: signals to this ID, with the question as their name.
const MailTester = "flow.test"

// The questions. The run's ID is the argument.
const (
	AskSettled = "settled" // nothing more can happen at the present time
	AskEnded   = "ended"   // the run has ended
)

// OpenTesting adds flow.test. Outside of a test, where t is nil, its functions say so.
func (f *Flow) OpenTesting(t Tester) {
	w := &kit{asserts: &asserts{flow: f}, tester: t}
	w.open()
	f.Extend("test", func() lua.LValue { return w.module() })
}

// kit is flow.test in one state.
type kit struct {
	*asserts
	tester  Tester
	runMeta *lua.LTable
}

type kitFunction struct {
	name string
	fn   func(*kit, *lua.LState) int
}

func kitFunctions() []kitFunction {
	return []kitFunction{
		{"elapsed", (*kit).elapsed}, {"settle", (*kit).settle}, {"spy", (*kit).spy}, {"start", (*kit).start}, {"stub", (*kit).stub},
	}
}

func (w *kit) module() *lua.LTable {
	s := w.flow.state
	list := kitFunctions()
	t := s.Main().CreateTable(0, len(list))
	var known []string
	for _, e := range list {
		known = append(known, e.name)
		t.RawSetString(e.name, s.Func("flow.test."+e.name, func(L *lua.LState) int {
			if w.tester == nil {
				vm.Throwf(L, 1, "flow.test.%s can only be used in a test: inside of it(name, function() … end), or before_each", e.name)
			}
			return e.fn(w, L)
		}))
	}
	closed(s, t, "flow.test", known)
	return t
}

// elapsed is flow.test.elapsed(): seconds.
func (w *kit) elapsed(L *lua.LState) int {
	L.Push(lua.LNumber(w.tester.Elapsed().Seconds()))
	return 1
}

// settle is flow.test.settle().
func (w *kit) settle(L *lua.LState) int {
	w.ask(L, "flow.test.settle", "until nothing more can happen now", AskSettled, "")
	return 0
}

// ask puts a question to the tester and waits for the answer.
func (w *kit) ask(L *lua.LState, call, what, question, id string) {
	f := w.flow
	b := f.branch(L, call)
	payload, err := json.Marshal([]string{id})
	if err != nil {
		panic(err)
	}
	m := &message{flow: f, event: history.Event{Kind: history.SignalSent, Name: question, Run: MailTester, Payload: payload}, site: f.site(), branch: b}
	op, err := b.Begin(scheduler.OperationSpec{
		Kind: "test", Name: what, Site: m.site, Start: m.start, Cancel: f.cancel,
		Result: func(any) (any, error) { return nil, nil },
	})
	if err == nil {
		_, err = f.wait(b, op.Promise())
	}
	if err != nil {
		f.raise(L, b, err)
	}
}

// start is flow.test.start(workflow, …): a workflow's stub, its name, or the file that it is in.
func (w *kit) start(L *lua.LState) int {
	const call = "flow.test.start"
	f := w.flow
	name, id, proto := f.WorkflowArgument(L, call)
	input, err := f.state.EncodeAll(arguments(L, 2), "input")
	if err != nil {
		vm.Throwf(L, 1, "%s: %s", call, err)
	}
	run, err := w.tester.Start(name, proto, id, input)
	if err != nil {
		vm.Throwf(L, 1, "%s: %s", call, err)
	}
	w.ask(L, call, "until the run has done what it can do now", AskSettled, "")
	L.Push(w.runValue(run))
	return 1
}

// WorkflowArgument reads the first argument of a call that takes a workflow: its stub, its name or the file that it is in; the ID is
// that of the stub's options. of is the function that this state declares for it, nil if it declares none.
func (f *Flow) WorkflowArgument(L *lua.LState, call string) (name, id string, of *lua.FunctionProto) {
	if s, is := toStub(L.Get(1)); is {
		if s.kind != workflowStub {
			vm.Throwf(L, 1, "%s expects a workflow, got %s: a test of an activity calls its function", call, s.luaKind())
		}
		name, id = s.name, s.child.ID
	} else {
		name = checkText(L, 1, call, "a workflow, its name or its file")
	}
	if d, found := f.Workflow(name); found {
		if fn, is := d.Fn.(*lua.LFunction); is {
			of = fn.Proto
		}
	}
	return name, id, of
}
