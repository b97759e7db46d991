package stdlib

import (
	"encoding/json"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
)

// StubPlan is what a spec says of an activity, or of a child workflow: what becomes of each attempt at it.
type StubPlan struct {
	Name string
	Real bool // its own function runs

	steps []StubStep // one after the other; the last one is also that of all later attempts
	next  StubStep   // what has been said of a step that has no end yet
	said  bool
	at    int // the step of the next attempt
	done  int // how many attempts that step has had
	calls []json.RawMessage
}

// StubStep is what one attempt does.
type StubStep struct {
	After   time.Duration
	Beats   int             // so many heartbeats,
	Every   time.Duration   // one at each such time
	Details json.RawMessage // of them; nil: their number
	Hangs   bool
	Fn      lua.LValue // is called; nil: nothing is
	Result  json.RawMessage
	Failure *history.Failure

	times int // for so many attempts; 0: one, of the last step all
}

// Take is the step of the next attempt, which is noted with its arguments.
func (p *StubPlan) Take(args json.RawMessage) StubStep {
	p.calls = append(p.calls, args)
	steps := p.steps
	if p.said || len(steps) == 0 {
		steps = append(steps[:len(steps):len(steps)], p.next)
	}
	if p.at < len(steps)-1 && p.done >= max(steps[p.at].times, 1) {
		p.at++
		p.done = 0
	}
	p.done++
	return steps[p.at]
}

type planMethod struct {
	name string
	call func(p *StubPlan, w *asserts, L *lua.LState, args []lua.LValue)
}

func planMethods() []planMethod {
	return []planMethod{
		{"after", (*StubPlan).after}, {"beats", (*StubPlan).beats}, {"fails", (*StubPlan).fails}, {"hangs", (*StubPlan).hangs},
		{"returns", (*StubPlan).returns}, {"runs", (*StubPlan).runs}, {"times", (*StubPlan).times},
	}
}

// end ends what is said of a step.
func (p *StubPlan) end() {
	p.steps = append(p.steps, p.next)
	p.next, p.said = StubStep{}, false
}

func (p *StubPlan) returns(w *asserts, L *lua.LState, args []lua.LValue) {
	payload, err := w.flow.state.EncodeAll(args, "result")
	if err != nil {
		vm.Throwf(L, 1, "stub '%s': %s", p.Name, err)
	}
	p.next.Result = payload
	p.end()
}

// fails is stub:fails(name [, message [, fields]]), or stub:fails(err).
func (p *StubPlan) fails(w *asserts, L *lua.LState, args []lua.LValue) {
	e, is := toError(first(args))
	if _, isText := first(args).(lua.LString); !is && !isText {
		vm.Throwf(L, 1, "stub '%s': fails expects the name of an error and its message, or an error value of flow.error, got %s", p.Name, describe(first(args)))
	}
	if !is {
		made, err := w.flow.state.Call(w.flow.state.Func("flow.error", w.flow.errors.make), args...)
		if err != nil {
			vm.Throwf(L, 1, "stub '%s': fails: %s", p.Name, err)
		}
		e, _ = toError(first(made))
	}
	p.next.Failure = ToFailure(w.flow.state, e)
	p.next.Failure.Trace = nil
	p.end()
}

func (p *StubPlan) runs(_ *asserts, L *lua.LState, args []lua.LValue) {
	if !callable(L, first(args)) {
		vm.Throwf(L, 1, "stub '%s': runs expects a function, got %s", p.Name, describe(first(args)))
	}
	p.next.Fn = args[0]
	p.end()
}

func (p *StubPlan) hangs(*asserts, *lua.LState, []lua.LValue) {
	p.next.Hangs = true
	p.end()
}

func (p *StubPlan) after(_ *asserts, L *lua.LState, args []lua.LValue) {
	p.next.After, p.said = p.duration(L, "after", first(args)), true
}

func (p *StubPlan) times(_ *asserts, L *lua.LState, args []lua.LValue) {
	p.next.times, p.said = p.count(L, "times", first(args)), true
}

// mostBeats is how many heartbeats a stub may send.
const mostBeats = 100_000

// beats is stub:beats(n, every [, details]).
func (p *StubPlan) beats(w *asserts, L *lua.LState, args []lua.LValue) {
	p.next.Beats, p.said = p.count(L, "beats", first(args)), true
	if p.next.Beats > mostBeats {
		vm.Throwf(L, 1, "stub '%s': beats: at most %d heartbeats, got %d", p.Name, mostBeats, p.next.Beats)
	}
	args = append(args, lua.LNil, lua.LNil)
	p.next.Every = p.duration(L, "beats", args[1])
	if p.next.Every > maxDuration/time.Duration(p.next.Beats) {
		vm.Throwf(L, 1, "stub '%s': beats: the last of %d heartbeats, one every %s, would be later than in 100 years", p.Name, p.next.Beats, FormatDuration(p.next.Every))
	}
	if args[2] != lua.LNil {
		details, err := w.flow.state.Encode(args[2], "details")
		if err != nil {
			vm.Throwf(L, 1, "stub '%s': beats: %s", p.Name, err)
		}
		p.next.Details = details
	}
}

func (p *StubPlan) duration(L *lua.LState, word string, v lua.LValue) time.Duration {
	d, err := toDuration(v)
	if err != nil {
		vm.Throwf(L, 1, "stub '%s': %s %s", p.Name, word, err)
	}
	return d
}

func (p *StubPlan) count(L *lua.LState, word string, v lua.LValue) int {
	n, is := wholeNumber(v)
	if !is || n < 1 {
		vm.Throwf(L, 1, "stub '%s': %s expects a whole number of at least 1, got %s", p.Name, word, describe(v))
	}
	return n
}

// stub is flow.test.stub(activity [, results…]), with a function instead of results, or with a table of such by name.
func (w *kit) stub(L *lua.LState) int {
	if t, is := L.Get(1).(*lua.LTable); is {
		for key, v := t.Next(lua.LNil); key != lua.LNil; key, v = t.Next(key) {
			name, isName := key.(lua.LString)
			if !isName {
				vm.Throwf(L, 1, "flow.test.stub expects { activity = result, … }, got [%s] = %s", keyText(key), describe(v))
			}
			w.tester.Stub(w.plan(L, string(name), []lua.LValue{v}))
		}
		return 0
	}
	return w.planned(L, w.plan(L, w.stubbed(L, "flow.test.stub"), arguments(L, 2)))
}

// plan is that of a stub with results or a function.
func (w *kit) plan(L *lua.LState, name string, given []lua.LValue) *StubPlan {
	p := &StubPlan{Name: name}
	switch {
	case len(given) == 0:
	case len(given) == 1 && callable(L, given[0]):
		p.runs(w.asserts, L, given)
	default:
		p.returns(w.asserts, L, given)
	}
	return p
}

// spy is flow.test.spy(activity): its own function runs.
func (w *kit) spy(L *lua.LState) int {
	return w.planned(L, &StubPlan{Name: w.stubbed(L, "flow.test.spy"), Real: true})
}

func (w *kit) planned(L *lua.LState, p *StubPlan) int {
	w.tester.Stub(p)
	L.Push(w.spyValue(&spy{name: p.Name, plan: p}))
	return 1
}

func (w *kit) stubbed(L *lua.LState, call string) string {
	if s, is := toStub(L.Get(1)); is {
		return s.name
	}
	return checkText(L, 1, call, "an activity or its name")
}

// OnStub installs what runs the functions of stubs: it gets the signals of a name, as a branch of the test's root, and gives
// results or a failure to answer. fn gives the stub's function and the name of its activity.
func (f *Flow) OnStub(signal string, fn func(n int) (lua.LValue, string), answer func(n int, results json.RawMessage, failure *history.Failure)) {
	s := f.signalNamed(signal)
	s.handler = f.state.Func("stub", func(L *lua.LState) int {
		n, _ := wholeNumber(L.Get(1))
		call, name := fn(n)
		results, err := f.state.Call(call, arguments(L, 2)...)
		if err != nil {
			answer(n, nil, ToFailure(f.state, f.failure(f.tree.Current(), err)))
			return 0
		}
		payload, err := f.state.EncodeAll(results, "result")
		if err != nil {
			vm.Throwf(L, 1, "the function of stub '%s': %s", name, err)
		}
		answer(n, payload, nil)
		return 0
	})
}
