package stdlib

import (
	"container/heap"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
)

// world is an Outside in memory, with virtual time: what is due next happens when nothing runs. It has a few activities:
//
//	echo(…)           its arguments
//	slow(d, …)        its other arguments, after d seconds; cancelled at once when asked
//	stubborn(d, …)    the same, but it ignores cancellation
//	fail(failure)     fails with it; fail(failure, d) after d seconds
//	broken(n, …)      fails n times, then gives its other arguments
type world struct {
	now      time.Time
	due      agenda
	count    int
	open     map[string]*scheduler.Operation
	events   []history.Event // decided
	attempts map[string]int  // of broken, by what else it is called with
	recorded map[string]json.RawMessage
	status   json.RawMessage
	next     json.RawMessage
	log      []string
	versions map[string]int

	immediate bool // every activity gives its arguments at once, and nothing is remembered
}

func newWorld() *world {
	return &world{
		now: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), open: map[string]*scheduler.Operation{}, attempts: map[string]int{},
		recorded: map[string]json.RawMessage{}, versions: map[string]int{},
	}
}

// happening is what is due at a time; those of one time happen in the order in which they were planned.
type happening struct {
	at    time.Time
	order int
	do    func()
}

type agenda []happening

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	if a[i].at.Equal(a[j].at) {
		return a[i].order < a[j].order
	}
	return a[i].at.Before(a[j].at)
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(happening)) }
func (a *agenda) Pop() any {
	last := len(*a) - 1
	x := (*a)[last]
	*a = (*a)[:last]
	return x
}

func (w *world) plan(after time.Duration, do func()) {
	w.count++
	heap.Push(&w.due, happening{w.now.Add(after), w.count, do})
}

// step lets everything of the next moment happen; false: nothing will ever happen.
func (w *world) step() bool {
	if len(w.due) == 0 {
		return false
	}
	w.now = w.due[0].at
	for len(w.due) > 0 && w.due[0].at.Equal(w.now) {
		heap.Pop(&w.due).(happening).do()
	}
	return true
}

func (w *world) Now() time.Time { return w.now }

func (w *world) Timer(b *scheduler.Branch, d time.Duration, site scheduler.Site) (*scheduler.Operation, error) {
	return b.Begin(scheduler.OperationSpec{Kind: "timer", Site: site, Cancel: w.Cancel,
		Start: func(op *scheduler.Operation, _ []any) error {
			w.Begin(op, history.Event{Kind: history.TimerStarted, At: w.now.Add(d)})
			return nil
		}})
}

func (w *world) Begin(op *scheduler.Operation, ev history.Event) {
	if w.immediate {
		op.Complete(ev.Payload)
		return
	}
	ev.Op = op.Path()
	w.events = append(w.events, ev)
	w.open[ev.Op] = op
	switch ev.Kind {
	case history.TimerStarted:
		w.plan(ev.At.Sub(w.now), func() { w.complete(op, nil) })
	case history.SignalSent:
		if ev.Run == "nobody" {
			w.plan(0, func() {
				w.fail(op, &history.Failure{Name: "SignalError", Kinds: []string{"NotFound"}, Message: "there is no open run 'nobody'"})
			})
			return
		}
		w.plan(time.Second, func() { w.complete(op, nil) })
	case history.ActivityScheduled, history.ChildStarted:
		w.perform(op, ev)
	}
}

func (w *world) perform(op *scheduler.Operation, ev history.Event) {
	var args []json.RawMessage
	if err := json.Unmarshal(ev.Payload, &args); err != nil {
		panic(err)
	}
	rest := func(n int) json.RawMessage {
		text, _ := json.Marshal(args[n:])
		return text
	}
	seconds := func(n int) (d time.Duration) {
		var s float64
		if len(args) > n {
			_ = json.Unmarshal(args[n], &s)
		}
		return time.Duration(s * float64(time.Second))
	}
	switch ev.Name {
	case "slow", "stubborn":
		w.plan(seconds(0), func() { w.complete(op, rest(1)) })
	case "fail":
		f := new(history.Failure)
		if err := json.Unmarshal(args[0], f); err != nil {
			panic(err)
		}
		w.plan(seconds(1), func() { w.fail(op, f) })
	case "broken":
		var n int
		_ = json.Unmarshal(args[0], &n)
		key := string(rest(1))
		w.attempts[key]++
		if attempt := w.attempts[key]; attempt <= n {
			w.plan(0, func() { w.fail(op, &history.Failure{Name: "Broken", Message: fmt.Sprintf("attempt %d", attempt)}) })
			return
		}
		w.plan(0, func() { w.complete(op, rest(1)) })
	default:
		w.plan(0, func() { w.complete(op, ev.Payload) })
	}
}

func (w *world) complete(op *scheduler.Operation, payload json.RawMessage) {
	delete(w.open, op.Path())
	op.Complete(payload)
}

func (w *world) fail(op *scheduler.Operation, f *history.Failure) {
	delete(w.open, op.Path())
	op.Fail(FailureError(op, f))
}

func (w *world) Cancel(op *scheduler.Operation, cause error) error {
	if op.Name() == "stubborn" {
		return nil
	}
	delete(w.open, op.Path())
	c := scheduler.AsCancelled(cause)
	if c == nil {
		c = &scheduler.Cancelled{Cause: cause}
	}
	op.Fail(c)
	return nil
}

func (w *world) Record(b *scheduler.Branch, _ history.Kind, name string, make func() (json.RawMessage, error)) (json.RawMessage, error) {
	key := b.NextID() + " " + name
	if payload, known := w.recorded[key]; known {
		return payload, nil
	}
	payload, err := make()
	if err == nil {
		w.recorded[key] = payload
	}
	return payload, err
}

func (w *world) Version(_ *scheduler.Branch, change string, _, max int) (int, error) {
	if v, known := w.versions[change]; known {
		return v, nil
	}
	return max, nil
}

func (w *world) Status(payload json.RawMessage)        { w.status = payload }
func (w *world) ContinueAsNew(payload json.RawMessage) { w.next = payload }
func (w *world) Seed() uint64                          { return 42 }

func (w *world) Info() Info {
	return Info{ID: "order-7", Run: 1, Workflow: "order", Started: w.now, Turn: 1}
}

func (w *world) Log(level slog.Level, message string, attrs ...slog.Attr) {
	var line strings.Builder
	h := slog.NewTextHandler(&line, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
	r := slog.NewRecord(time.Time{}, level, message, 0)
	r.AddAttrs(attrs...)
	_ = h.Handle(context.Background(), r)
	w.log = append(w.log, strings.TrimSpace(line.String()))
}
