package stdlib

import (
	"encoding/json"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// signal is the inbox of one name: what has come and was not taken, and who waits for it.
type signal struct {
	name    string
	inbox   inbox
	handler lua.LValue // nil: none
	site    scheduler.Site
}

func (s *signal) luaKind() string     { return "signal '" + s.name + "'" }
func (s *signal) cannotLeave() string { return s.luaKind() + " cannot leave the run" }

var signalMethods = []method{
	{"await", (*Flow).signalAwait}, {"each", (*Flow).signalEach}, {"on", (*Flow).signalOn},
}

// signalNamed is the one inbox of a name.
func (f *Flow) signalNamed(name string) *signal {
	s, known := f.signals[name]
	if !known {
		s = &signal{name: name}
		if f.signals == nil {
			f.signals = map[string]*signal{}
		}
		f.signals[name] = s
	}
	return s
}

// Signal delivers a signal: to the branch that waits for it longest, to the handler, or into the inbox.
func (f *Flow) Signal(name string, payload json.RawMessage) error {
	args, err := f.state.DecodeAll(payload)
	if err != nil {
		return err
	}
	s := f.signalNamed(name)
	if s.inbox.deliver(args) {
		return nil
	}
	if s.handler == nil || !f.handle(s, args) {
		s.inbox.items = append(s.inbox.items, args)
	}
	return nil
}

// handle starts the handler as a branch of the root. A run that is ending takes no more signals.
func (f *Flow) handle(s *signal, args []lua.LValue) bool {
	_, err := f.tree.Attach(s.luaKind(), s.site, f.Body(s.handler, args))
	return err == nil
}

func checkSignal(L *lua.LState, call string) *signal {
	s, is := held[*signal](L.Get(1))
	if !is {
		vm.Throwf(L, 1, "%s expects a signal, got %s; call it with a colon: flow.signal(name):%s", call, describe(L.Get(1)), call[len("signal:"):])
	}
	return s
}

// signal is flow.signal(name).
func (f *Flow) signal(L *lua.LState) int {
	s := f.signalNamed(checkText(L, 1, "flow.signal", "the signal's name"))
	L.Push(value(f.types.signal, s))
	return 1
}

// signalAwait is signal:await([timeout]).
func (f *Flow) signalAwait(L *lua.LState) int {
	s := checkSignal(L, "signal:await")
	b := f.branch(L, "signal:await")
	d, limited := checkTimeout(L, 2, "signal:await")
	list, err := f.take(b, &s.inbox, s.luaKind(), d, limited)
	if err != nil {
		return f.raise(L, b, err)
	}
	return push(L, list)
}

// signalEach is signal:each(): an iterator without end. A signal without a value, or with nil, counts as json.null, as
// nil would end the loop.
func (f *Flow) signalEach(L *lua.LState) int {
	s := checkSignal(L, "signal:each")
	L.Push(f.state.Func("each", func(L *lua.LState) int {
		b := f.branch(L, "signal:each")
		list, err := f.take(b, &s.inbox, s.luaKind(), 0, false)
		if err != nil {
			return f.raise(L, b, err)
		}
		if first(list) == lua.LNil {
			list = append([]lua.LValue{f.state.Null()}, list[min(1, len(list)):]...)
		}
		return push(L, list)
	}))
	return 1
}

// signalOn is signal:on(fn).
func (f *Flow) signalOn(L *lua.LState) int {
	f.handleWith(L, checkSignal(L, "signal:on"), checkCallable(L, 2, "signal:on", "a function"))
	return 0
}

// on is flow.on(name, fn).
func (f *Flow) on(L *lua.LState) int {
	s := f.signalNamed(checkText(L, 1, "flow.on", "the signal's name"))
	f.handleWith(L, s, checkCallable(L, 2, "flow.on", "a function"))
	return 0
}

// handleWith sets the handler, which first gets what has come before.
func (f *Flow) handleWith(L *lua.LState, s *signal, fn lua.LValue) {
	f.changes(L, "signal:on")
	s.handler, s.site = fn, f.site()
	waiting := s.inbox.items
	s.inbox.items = nil
	for i, args := range waiting {
		if !f.handle(s, args) {
			s.inbox.items = waiting[i:]
			return
		}
	}
}

// send is flow.send(workflow_id, name, …): a promise, ready when delivered.
func (f *Flow) send(L *lua.LState) int {
	to := checkText(L, 1, "flow.send", "the workflow's id")
	name := checkText(L, 2, "flow.send", "the signal's name")
	b := f.branch(L, "flow.send")
	payload, err := f.state.EncodeAll(arguments(L, 3), "input")
	if err != nil {
		vm.Throwf(L, 1, "flow.send '%s': %s", name, err)
	}
	m := &message{flow: f, event: history.Event{Kind: history.SignalSent, Name: name, Run: to, Payload: payload}, site: f.site(), branch: b}
	op, err := b.Begin(scheduler.OperationSpec{
		Kind: "send", Name: name, Site: m.site, Start: m.start, Cancel: f.cancel,
		Result: func(any) (any, error) { return nil, nil },
	})
	if err != nil {
		return f.raise(L, b, err)
	}
	L.Push(f.promiseOf(op.Promise()))
	return 1
}

// message is a signal on its way to another run.
type message struct {
	flow   *Flow
	event  history.Event
	site   scheduler.Site
	branch *scheduler.Branch
}

func (m *message) start(op *scheduler.Operation, _ []any) error {
	op.Local = m
	m.flow.out.Begin(op, m.event)
	return nil
}

func (m *message) place(e *Error) { e.site, e.branch = m.site, m.branch }
