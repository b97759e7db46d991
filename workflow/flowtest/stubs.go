package flowtest

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/workflow/virtual"
)

// stubSignal brings the calls of functions of stubs to the test.
const stubSignal = "flow.test.stub"

// Stub implements stdlib.Tester.
func (w *World) Stub(plan *stdlib.StubPlan) { w.plans[plan.Name] = plan }

// attempt says what becomes of an attempt at an activity.
func (w *World) attempt(c virtual.Call) virtual.Plan {
	ref := w.world.Find(c.Run).Ref()
	tried := w.tried[key(ref)]
	if tried == nil {
		tried = map[string]int{}
		w.tried[key(ref)] = tried
	}
	tried[c.Op] = c.Attempt
	plan := w.plans[c.Name]
	switch {
	case plan == nil:
		w.world.Stop(w.missing(c))
		return virtual.Hangs()
	case plan.Real:
		plan.Take(c.Args)
		return w.perform(c)
	}
	return w.planned(c, plan.Take(c.Args))
}

// stubbed is the outcome of a child workflow, if the test says what it is.
func (w *World) stubbed(c virtual.Call) (virtual.Plan, bool) {
	plan := w.plans[c.Name]
	if plan == nil || plan.Real {
		return virtual.Plan{}, false
	}
	return w.planned(c, plan.Take(c.Args)), true
}

// planned makes a plan of a step of a stub.
func (w *World) planned(c virtual.Call, step stdlib.StubStep) virtual.Plan {
	p := virtual.Plan{Takes: step.After, Hangs: step.Hangs, Result: step.Result, Failure: step.Failure, Alive: step.Beats == 0 && !step.Hangs}
	for i := 1; i <= step.Beats; i++ {
		at := time.Duration(i) * step.Every
		details := any(i)
		if step.Details != nil {
			details = step.Details
		}
		p.Heartbeats = append(p.Heartbeats, virtual.Heartbeat{At: at, Details: details})
		p.Takes = max(p.Takes, at)
	}
	if step.Fn != nil {
		p.Asks = func(end func(virtual.Plan)) {
			if c.Run == specID {
				if w.nested[c.Name]++; w.nested[c.Name] > mostNested {
					w.world.Stop(w.circle(c))
					return
				}
			}
			w.calls = append(w.calls, call{step.Fn, end, c})
			w.spec.Happen(history.Event{Kind: history.SignalReceived, Name: stubSignal, Payload: w.stubArgs(len(w.calls)-1, c)})
		}
	}
	return p
}

// stubArgs are the number of the call, the activity's arguments, and what is known of the attempt.
func (w *World) stubArgs(n int, c virtual.Call) json.RawMessage {
	var args []json.RawMessage
	if err := json.Unmarshal(c.Args, &args); err != nil {
		panic(err) // the engine wrote them
	}
	list := []any{n}
	for _, a := range args {
		list = append(list, a)
	}
	info := map[string]any{"attempt": c.Attempt, "activity": c.Name, "run": c.Run}
	if c.Details != nil {
		info["heartbeat_details"] = c.Details
	}
	payload, err := json.Marshal(append(list, info))
	if err != nil {
		panic(err)
	}
	return payload
}

// answer takes what the function of a stub has given.
func (w *World) answer(n int, results json.RawMessage, failure *history.Failure) {
	if c := w.calls[n]; c.of.Run == specID {
		w.nested[c.of.Name]--
	}
	w.calls[n].end(virtual.Plan{Result: results, Failure: failure})
}

// mostNested is how many calls of one stub may be under way that the test, or the function of a stub, has made.
const mostNested = 1000

// circle says that a stub calls itself.
func (w *World) circle(c virtual.Call) error {
	return &stopped{
		fmt.Sprintf("%d calls of the stub '%s' are under way that were made by the test or by functions of stubs: within a stub's function the activity is the stub; "+
			"to let its own function run, use flow.test.spy(%q)", mostNested, c.Name, c.Name),
		w.world.Find(c.Run).Execution().Trace(c.Op),
	}
}

// stopped is why a test was ended from outside, and where in the script.
type stopped struct {
	message string
	frames  []scheduler.Frame
}

func (s *stopped) Error() string { return s.message }

// missing says what to do about an activity that the test says nothing of.
func (w *World) missing(c virtual.Call) error {
	hint := ""
	for _, own := range w.world.Find(c.Run).Program().Activities() {
		if own == c.Name {
			hint = fmt.Sprintf("\nor let its own function run:\n  flow.test.spy(%q)", c.Name)
		}
	}
	return &stopped{
		fmt.Sprintf("run '%s' begins the activity '%s' with %s, and the test does not say what becomes of it; say so before:\n  flow.test.stub(%q):returns(…)%s",
			c.Run, c.Name, c.Args, c.Name, hint),
		w.world.Find(c.Run).Execution().Trace(c.Op),
	}
}
