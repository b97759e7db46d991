package flowtest

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow/virtual"
)

// perform lets the activity's own function run, at once, in a Lua state of its own with the real os and io. What it sleeps is
// virtual, and so are the times of its heartbeats.
func (w *World) perform(c virtual.Call) (plan virtual.Plan) {
	run := w.world.Find(c.Run)
	program := run.Program()
	own := vm.Config{Print: func(line string) { w.printed = append(w.printed, line) }, Modules: program.Files(), Absent: map[string]string{}, Limits: w.config.Limits}
	if w.lines != nil {
		own.Cover = w.cover
	}
	s := vm.New(own)
	defer s.Close()
	world, leave := context.WithCancel(context.Background())
	defer leave()
	a := &attempt{call: c}
	flow := stdlib.OpenActivityFlow(s, a)
	stdlib.OpenString(s)
	stdlib.OpenTable(s)
	random := stdlib.NewRandom(uint64(len(w.calls)) + 1)
	stdlib.OpenMath(s, func() *stdlib.Random { return random })
	defer stdlib.OpenActivity(s, world, nil, stdlib.Streams{})()
	if program == w.file.program {
		flow.OpenSpecOutside()
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *vm.LimitError:
			plan = virtual.Plan{Failure: &history.Failure{Name: "LimitError", Message: r.Error()}}
		default:
			panic(r)
		}
		plan.Takes, plan.Heartbeats = a.slept, a.beats
	}()
	fail := func(err error) virtual.Plan { return virtual.Plan{Failure: stdlib.ToFailure(s, err)} }
	if err := flow.Load(program.Open(s)); err != nil {
		return fail(err)
	}
	declared, found := flow.Activity(c.Name)
	if !found {
		w.world.Stop(&stopped{
			fmt.Sprintf("flow.test.spy(%q) lets the activity's own function run, but the script of run '%s' has none: say what becomes of it with flow.test.stub(%q):returns(…)", c.Name, c.Run, c.Name),
			run.Execution().Trace(c.Op),
		})
		return virtual.Hangs()
	}
	args, err := s.DecodeAll(c.Args)
	if err != nil {
		return fail(err)
	}
	values, err := flow.Call(declared.Fn, args...)
	if err != nil {
		return fail(err)
	}
	results, err := s.EncodeAll(values, "result")
	if err != nil {
		return fail(err)
	}
	return virtual.Plan{Result: results}
}

// attempt is what a function sees of its attempt.
type attempt struct {
	call  virtual.Call
	slept time.Duration
	beats []virtual.Heartbeat
}

// Heartbeat implements stdlib.ActivityContext.
func (a *attempt) Heartbeat(details json.RawMessage) error {
	a.beats = append(a.beats, virtual.Heartbeat{At: a.slept, Details: details})
	return nil
}

// HeartbeatDetails implements stdlib.ActivityContext.
func (a *attempt) HeartbeatDetails() json.RawMessage { return a.call.Details }

// Info implements stdlib.ActivityContext.
func (a *attempt) Info() stdlib.ActivityInfo {
	return stdlib.ActivityInfo{ID: a.call.Op, Name: a.call.Name, Workflow: a.call.Run, Attempt: a.call.Attempt, IdempotencyKey: a.call.Run + a.call.Op}
}

// Sleep implements stdlib.ActivityContext.
func (a *attempt) Sleep(d time.Duration) error {
	a.slept += d
	return nil
}

// Log implements stdlib.ActivityContext.
func (a *attempt) Log(slog.Level, string, ...slog.Attr) {}
