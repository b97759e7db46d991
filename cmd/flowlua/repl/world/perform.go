package world

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"math"
	"math/rand/v2"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// job is an attempt that a function of the session makes: a coroutine that yields how long it sleeps, in virtual time.
type job struct {
	next    func() (time.Duration, bool)
	stop    func()
	results json.RawMessage
	failure *history.Failure
}

// stopped unwinds a function that nobody waits for any more.
type stopped struct{}

func (a *Activity) start() {
	j := &job{}
	j.next, j.stop = iter.Pull(func(yield func(time.Duration) bool) { j.results, j.failure = a.perform(yield) })
	a.job = j
	a.resume()
}

func (a *Activity) resume() {
	j := a.job
	d, asleep := j.next()
	switch {
	case a.job != j: // it was stopped from inside
	case asleep:
		a.wakes = a.Run.world.now.Add(d)
		a.changed()
	case j.failure != nil:
		a.Fail(j.failure)
	default:
		a.Complete(j.results)
	}
}

func (a *Activity) stopJob() {
	if j := a.job; j != nil {
		a.job = nil
		j.stop()
	}
}

// perform runs the function in a Lua state of its own, in which everything that was typed is run again for what it declares.
func (a *Activity) perform(yield func(time.Duration) bool) (results json.RawMessage, failure *history.Failure) {
	w := a.Run.world
	limits := w.config.Limits
	limits.Instructions, limits.Turn = math.MaxInt64, math.MaxInt64 // Ctrl-C ends it
	loading := true
	print := func(line string) {
		if !loading && w.config.Print != nil {
			w.config.Print(line)
		}
	}
	s := vm.New(vm.Config{Print: print, Modules: modules{w}, Absent: map[string]string{}, Limits: limits})
	defer s.Close()
	world, leave := context.WithCancel(context.Background())
	defer leave()
	defer w.interrupts.guard(func() { s.Interrupt(ErrInterrupted); leave() })()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stopped:
			results, failure = nil, &history.Failure{Name: "CancelledError"}
		case error:
			results, failure = nil, &history.Failure{Name: "LimitError", Message: r.Error()}
		default:
			panic(r)
		}
	}()
	flow := stdlib.OpenActivityFlow(s, attempt{a, yield})
	stdlib.OpenString(s)
	stdlib.OpenTable(s)
	random := stdlib.NewRandom(rand.Uint64())
	stdlib.OpenMath(s, func() *stdlib.Random { return random })
	defer stdlib.OpenActivity(s, world, nil, stdlib.Streams{Stdout: w.config.Stdout})()
	if err := flow.Session(); err != nil {
		return nil, stdlib.ToFailure(s, err)
	}
	session := s.NewSession()
	for _, typed := range a.Run.typed() {
		if chunk, err := session.Load(typed.Name, typed.Source, typed.Line); err == nil && flow.Load(chunk.Function) != nil {
			chunk.Failed()
		}
	}
	loading = false
	declared, ok := flow.Activity(a.Event.Name)
	if !ok {
		no := false
		return nil, &history.Failure{Name: "ActivityNotFound", Retryable: &no, Message: fmt.Sprintf(
			"the function of activity '%s' is out of reach: it is declared on a line after something was started or awaited there", a.Event.Name)}
	}
	args, err := s.DecodeAll(a.Event.Payload)
	if err != nil {
		return nil, stdlib.ToFailure(s, err)
	}
	values, err := flow.Call(declared.Fn, args...)
	if err == nil {
		results, err = s.EncodeAll(values, "result")
	}
	return results, stdlib.ToFailure(s, err)
}

// attempt is what a function sees of its attempt.
type attempt struct {
	*Activity
	yield func(time.Duration) bool
}

func (a attempt) wish() error {
	if a.Cancelled {
		return stdlib.FromFailure(&history.Failure{Name: "CancelledError", Message: "cancellation was asked for"})
	}
	return nil
}

func (a attempt) Heartbeat(details json.RawMessage) error {
	a.beaten(details)
	return a.wish()
}

func (a attempt) HeartbeatDetails() json.RawMessage { return a.Before }

func (a attempt) Info() stdlib.ActivityInfo {
	return stdlib.ActivityInfo{ID: a.Op, Name: a.Event.Name, Workflow: a.Activity.Run.Ref.ID, Attempt: a.Attempt, Deadline: a.close,
		IdempotencyKey: a.Activity.Run.Ref.ID + a.Op}
}

func (a attempt) Sleep(d time.Duration) error {
	if err := a.wish(); err != nil {
		return err
	}
	if !a.yield(d) {
		panic(stopped{})
	}
	return a.wish()
}

func (a attempt) Log(level slog.Level, message string, attrs ...slog.Attr) {
	if log := a.Activity.Run.world.config.Log; log != nil {
		log.LogAttrs(context.Background(), level, message, attrs...)
	}
}
