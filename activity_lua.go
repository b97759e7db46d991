package flowlua

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/activity"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// performLua makes an attempt of an activity that the script implements, in a Lua state of its own, which loads the
// script afresh and has the real world: os, io, http. What it opens ends when the attempt is lost; a wish to cancel ends the shell commands
// that run, and else reaches its next heartbeat or sleep, so that it can clean up.
func (e *Engine) performLua(a *attempt) (results json.RawMessage, err error) {
	t := a.task
	s := vm.New(vm.Config{
		Print:   e.print.line,
		Modules: t.run.program.Files(),
		Absent:  map[string]string{},
		Limits:  activityLimits(e.config.Limits),
	})
	defer s.Close()
	world, leave := context.WithCancelCause(context.Background())
	defer leave(nil)
	if !a.onLoss(func(cause error) { leave(cause); s.Interrupt(cause) }) {
		return nil, errAttemptEnded
	}
	defer func() {
		if r := recover(); r != nil {
			results, err = nil, luaPanic(t.name, r)
		}
	}()
	request := &stdlib.Request{Done: a.Done}
	flow := stdlib.OpenActivityFlow(s, luaAttempt{a, request})
	stdlib.OpenString(s)
	stdlib.OpenTable(s)
	random := stdlib.NewRandom(rand.Uint64())
	stdlib.OpenMath(s, func() *stdlib.Random { return random })
	defer stdlib.OpenActivity(s, world, request, stdlib.Streams{Stdout: e.print})()

	if err := flow.Load(t.run.program.Open(s)); err != nil {
		return nil, raised{stdlib.ToFailure(s, err)}
	}
	declared, ok := flow.Activity(t.name)
	if !ok {
		return nil, e.activityNotFound(t.name, t.run)
	}
	args, err := s.DecodeAll(t.args)
	if err != nil {
		return nil, &activity.ArgumentError{Activity: t.name, Problem: err.Error()}
	}
	values, err := flow.Call(declared.Fn, args...)
	if err != nil {
		return nil, raised{stdlib.ToFailure(s, err)}
	}
	return encodeResults(s, t.name, values)
}

func encodeResults(s *vm.State, name string, values []lua.LValue) (json.RawMessage, error) {
	results, err := s.EncodeAll(values, "result")
	if err != nil {
		return nil, &activity.ResultError{Activity: name, Problem: err.Error()}
	}
	return results, nil
}

// activityLimits are those of workflows, but for time, as an activity may work as long as its timeouts let it, and for what
// it prints meanwhile. By default it may hold more, as it reads files.
func activityLimits(l vm.Limits) vm.Limits {
	l.Instructions = math.MaxInt64
	l.Turn = math.MaxInt64
	l.Output = math.MaxInt64
	l.Memory = cmp.Or(l.Memory, 256<<20)
	l.StringBytes = cmp.Or(l.StringBytes, 64<<20)
	return l
}

// luaPanic is what no pcall of the script has seen: limits, and defects.
func luaPanic(name string, r any) error {
	if limit, ok := r.(*vm.LimitError); ok {
		return &Error{Name: "LimitError", Message: limit.Error()}
	}
	return &activity.PanicError{Activity: name, Value: r}
}

// raised is an error that is a failure already.
type raised struct{ failure *history.Failure }

func (r raised) Error() string             { return r.failure.Name + ": " + r.failure.Message }
func (r raised) Failure() *history.Failure { return r.failure }

// luaAttempt is an attempt as the flow module of activities sees it.
type luaAttempt struct {
	*attempt
	request *stdlib.Request
}

func (a luaAttempt) Heartbeat(details json.RawMessage) error { return a.wish(a.heartbeat(details)) }

func (a luaAttempt) HeartbeatDetails() json.RawMessage { return a.before }

func (a luaAttempt) Info() stdlib.ActivityInfo {
	i := a.info()
	return stdlib.ActivityInfo{
		ID: i.Op, Name: i.Activity, Workflow: i.WorkflowID, Attempt: i.Number, Deadline: i.Deadline, IdempotencyKey: i.IdempotencyKey(),
	}
}

func (a luaAttempt) Sleep(d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return a.wish(a.stopped())
	case <-a.Done():
		return a.wish(a.stopped())
	}
}

func (a luaAttempt) Log(level slog.Level, message string, attrs ...slog.Attr) {
	log := a.task.run.engine.log.With("run", a.task.run.run.ID, "activity", a.task.name, "attempt", a.number)
	log.LogAttrs(context.Background(), level, message, attrs...)
}

// wish is the reason to stop as the script sees it.
func (a luaAttempt) wish(err error) error {
	if err == nil {
		return nil
	}
	a.request.Heard()
	message := "cancellation was asked for"
	if err != ErrCancelled {
		message = err.Error()
	}
	return stdlib.FromFailure(&history.Failure{Name: nameCancelled, Message: message})
}

// implements reports whether the run's script has the activity itself.
func (r *execution) implements(name string) bool { return slices.Contains(r.own, name) }

// activityNotFound says what there is.
func (e *Engine) activityNotFound(name string, r *execution) error {
	e.mu.RLock()
	names := slices.Sorted(maps.Keys(e.activities))
	e.mu.RUnlock()
	names = append(names, r.own...)
	hint := "none is registered (Engine.RegisterActivity, or a function given to flow.activity at the top of the file, before anything is started or awaited there)"
	if len(names) > 0 {
		hint = "there are " + strings.Join(names, ", ")
	}
	no := false
	return &Error{Name: "ActivityNotFound", Message: fmt.Sprintf("no activity %q%s: %s", name, stdlib.Suggest(name, names), hint), Retryable: &no}
}
