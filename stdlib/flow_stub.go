package stdlib

import (
	"encoding/json"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// stub is what a script calls to start an activity or a child workflow. It never changes: with and decorate copy it.
type stub struct {
	kind    stubKind
	name    string
	options history.ActivityOptions
	child   history.ChildOptions
	policy  *policy // of a decorated stub
	text    string  // how messages call it, once one has
}

type stubKind uint8

const (
	activityStub stubKind = iota
	workflowStub
)

func (k stubKind) String() string {
	if k == workflowStub {
		return "workflow"
	}
	return "activity"
}

func (s *stub) luaKind() string {
	if s.text == "" {
		s.text = s.kind.String() + " '" + s.name + "'"
	}
	return s.text
}

func (s *stub) cannotLeave() string {
	return s.luaKind() + " cannot leave the run: pass what calling it gives"
}

func toStub(v lua.LValue) (*stub, bool) { return held[*stub](v) }

func (f *Flow) stubOf(s *stub) lua.LValue { return value(f.types.stub, s) }

var stubMethods = []method{{"with", (*Flow).stubWith}}

// workflow is flow.workflow(name, [options,] fn).
func (f *Flow) workflow(L *lua.LState) int {
	s := f.declared.workflow(L)
	stub := f.stubOf(s)
	if f.workflows != nil {
		f.workflows.RawSetString(s.name, stub)
	}
	L.Push(stub)
	return 1
}

// activity is flow.activity(name [, options] [, fn]).
func (f *Flow) activity(L *lua.LState) int {
	L.Push(f.stubOf(f.declared.activity(L)))
	return 1
}

// activities is flow.activities { name = options, … }.
func (f *Flow) activities(L *lua.LState) int {
	L.Push(f.declared.activitiesTable(L, f.stubOf))
	return 1
}

// stubWith is stub:with { … }: a copy with other options.
func (f *Flow) stubWith(L *lua.LState) int {
	s, is := toStub(L.Get(1))
	if !is {
		vm.Throwf(L, 1, "stub:with expects an activity or a workflow, got %s; call it with a colon: stub:with { … }", describe(L.Get(1)))
	}
	L.Push(f.stubOf(s.with(L)))
	return 1
}

func (s *stub) with(L *lua.LState) *stub {
	changed := *s
	if L.Get(2).Type() != lua.LTTable {
		vm.Throwf(L, 1, "%s:with expects a table of options, got %s", s.luaKind(), describe(L.Get(2)))
	}
	if s.kind == workflowStub {
		changed.child = readChildOptions(L, s.luaKind(), L.Get(2), s.child)
	} else {
		changed.read(L, s.luaKind(), L.Get(2))
	}
	return &changed
}

// callStub starts an activity or a child: stub(…).
func (f *Flow) callStub(L *lua.LState) int {
	s, _ := toStub(L.Get(1))
	b := f.branch(L, s.luaKind())
	c, after := f.prepare(L, s, arguments(L, 2))
	if s.policy != nil {
		return f.callDecorated(L, b, c, after)
	}
	p, err := c.begin(b, after)
	if err != nil {
		return f.raise(L, b, err)
	}
	L.Push(f.promiseOf(p))
	return 1
}

// call is one call of a stub: what to start, with which arguments.
type call struct {
	flow    *Flow
	stub    *stub
	site    scheduler.Site
	branch  *scheduler.Branch
	payload []byte       // the arguments, unless promises among them are missing
	args    []lua.LValue // the arguments otherwise, in a copy with
	holes   []argument   // the places of the promises
}

func (c *call) begin(b *scheduler.Branch, after []*scheduler.Promise) (*scheduler.Promise, error) {
	c.branch = b
	op, err := b.Begin(scheduler.OperationSpec{
		Kind: c.stub.kind.String(), Name: c.stub.name, After: after, Site: c.site,
		Local: c, Start: startCall, Cancel: c.flow.cancel, Result: c.flow.result,
	})
	if err != nil {
		return nil, err
	}
	return op.Promise(), nil
}

// startCall runs in the queue, when the arguments are there.
func startCall(op *scheduler.Operation, in []any) error {
	c := op.Local.(*call)
	payload, err := c.encode(in)
	if err != nil {
		return err
	}
	event := history.Event{Kind: history.ActivityScheduled, Name: c.stub.name, Payload: payload, Activity: &c.stub.options}
	if c.stub.kind == workflowStub {
		event.Kind, event.Activity, event.Child = history.ChildStarted, nil, &c.stub.child
	}
	c.flow.out.Begin(op, event)
	return nil
}

// place gives an error that came from outside its place in the script.
func (c *call) place(e *Error) {
	e.site, e.branch = c.site, c.branch
	if e.Activity == "" && c.stub.kind == activityStub {
		e.Activity = c.stub.name
	}
}

// FailureError makes the error that an operation fails with (op.Fail): what the failure says, with the operation's place
// in the script as its stack.
func FailureError(op *scheduler.Operation, failure *history.Failure) error {
	e := FromFailure(failure)
	if placed, is := op.Local.(interface{ place(*Error) }); is {
		placed.place(e)
	}
	return e
}

// decodeResults turns what an operation was completed with into the values of its promise.
func (f *Flow) decodeResults(v any) (any, error) {
	payload, _ := v.(json.RawMessage)
	if payload == nil {
		return []lua.LValue(nil), nil
	}
	list, err := f.state.DecodeAll(payload)
	if err != nil {
		return nil, &Error{Name: nameError, Message: "the result cannot be read: " + err.Error()}
	}
	return list, nil
}
