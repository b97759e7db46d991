package workflow

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"log/slog"
	"strconv"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
)

var _ stdlib.Outside = (*Execution)(nil)

// begun is what the execution knows of an operation that is not done.
type begun struct {
	op       *scheduler.Operation
	turn     int64 // when it was begun
	decision int32 // index among the decisions of that turn
	kind     history.Kind
}

// Now implements scheduler.Clock: the time of the turn.
func (e *Execution) Now() time.Time { return e.now }

// Timer implements scheduler.Clock.
func (e *Execution) Timer(b *scheduler.Branch, d time.Duration, site scheduler.Site) (*scheduler.Operation, error) {
	return b.Begin(scheduler.OperationSpec{
		Kind: "timer", Site: site,
		Start: func(op *scheduler.Operation, _ []any) error {
			e.Begin(op, history.Event{Kind: history.TimerStarted, At: e.now.Add(d)})
			return nil
		},
		Cancel: e.Cancel,
	})
}

// heldByEvent is about how many bytes a decision takes besides its payload.
const heldByEvent = 300

// Begin implements stdlib.Outside.
func (e *Execution) Begin(op *scheduler.Operation, ev history.Event) {
	ev.Op = op.Path()
	e.state.Hold(int64(len(ev.Payload)) + heldByEvent)
	b := begun{op: op, kind: ev.Kind, turn: e.turn}
	if ev.Kind == history.ChildStarted {
		options := history.ChildOptions{}
		if ev.Child != nil {
			options = *ev.Child
		}
		options.ID = cmp.Or(options.ID, e.config.Run.ID+ev.Op)
		ev.Child = &options
		if other, taken := e.children.byID[options.ID]; taken {
			op.Fail(stdlib.FailureError(op, &history.Failure{Name: "ChildWorkflowError",
				Message: fmt.Sprintf("a child with id %q is already running (operation %s): give this one another id", options.ID, other)}))
			return
		}
		e.children.add(options.ID, ev.Op)
	}
	b.decision = e.decided.add(ev, op.Site())
	e.open[ev.Op] = b
}

// Cancel implements stdlib.Outside (flow-semantics 5.3, 5.4): what is not committed yet, timers and signals are gone at once, of
// activities and children the world is asked, and the operation stays open until it answers.
func (e *Execution) Cancel(op *scheduler.Operation, cause error) error {
	path := op.Path()
	b, ok := e.open[path]
	if !ok {
		return nil
	}
	request := history.Event{Op: path}
	switch {
	case b.turn == e.turn:
		e.decided.drop(b.decision)
	case b.kind == history.TimerStarted:
		request.Kind = history.TimerCancelled
		e.decided.add(request, op.Site())
	case b.kind == history.SignalSent:
	case b.kind == history.ActivityScheduled:
		request.Kind, request.Name = history.ActivityCancelRequested, op.Name()
		e.decided.add(request, op.Site())
		return nil
	case b.kind == history.ChildStarted:
		request.Kind, request.Name, request.Payload = history.ChildCancelRequested, op.Name(), e.reasonOf(cause)
		e.decided.add(request, op.Site())
		return nil
	}
	e.done(path)
	c := scheduler.AsCancelled(cause)
	if c == nil {
		c = &scheduler.Cancelled{Cause: cause}
	}
	op.Fail(c)
	return nil
}

// reasonOf is the reason of a cancellation as a payload.
func (e *Execution) reasonOf(cause error) json.RawMessage {
	if f := stdlib.ToFailure(e.state, cause); f != nil && f.Reason != nil {
		return append(append(json.RawMessage{'['}, f.Reason...), ']')
	}
	return json.RawMessage("[]")
}

// Record implements stdlib.Outside.
func (e *Execution) Record(b *scheduler.Branch, kind history.Kind, name string, make func() (json.RawMessage, error)) (json.RawMessage, error) {
	ev := history.Event{Kind: kind, Op: b.NextID(), Name: name}
	if e.replaying {
		logged := e.decided.recorded(func(l *history.Event) bool { return l.Op == ev.Op })
		if logged == nil || logged.Kind != kind { // the name is for people: it may be a line of the script
			was := nothing
			if logged != nil {
				was = describe(logged)
			}
			scheduler.Abort(e.mismatch(ev.Op, was, describe(&ev), firstLine(e.state.Site().Frames())))
		}
		ev.Name, ev.Payload, ev.Failure = logged.Name, logged.Payload, logged.Failure
	} else if payload, err := make(); err != nil {
		ev.Failure = stdlib.ToFailure(e.state, err) // it failed once and for all
	} else {
		ev.Payload = payload
	}
	e.state.Hold(int64(len(ev.Payload)) + heldByEvent)
	e.decided.add(ev, nil)
	if ev.Failure != nil {
		return nil, stdlib.FromFailure(ev.Failure)
	}
	return ev.Payload, nil
}

// Version implements stdlib.Outside. A version has no place in the tree: a script that asks for one where it did not before must
// not renumber what follows.
func (e *Execution) Version(_ *scheduler.Branch, change string, lowest, highest int) (int, error) {
	v, known := e.versions[change]
	if !known {
		v = highest
		if e.replaying {
			v = lowest
			if l := e.decided.recorded(func(l *history.Event) bool { return l.Kind == history.VersionRecorded && l.Name == change }); l != nil {
				var values []int
				if err := json.Unmarshal(l.Payload, &values); err != nil || len(values) != 1 {
					scheduler.Abort(fmt.Errorf("workflow: the log has a version of %q that cannot be read: %s", change, l.Payload))
				}
				v = values[0]
				e.decided.add(*l, nil)
			}
		} else {
			e.decided.add(history.Event{Kind: history.VersionRecorded, Name: change, Payload: json.RawMessage("[" + strconv.Itoa(v) + "]")}, nil)
		}
		if e.versions == nil {
			e.versions = map[string]int{}
		}
		e.versions[change] = v
	}
	if v < lowest || v > highest {
		scheduler.Abort(fmt.Errorf("workflow: run %q is on version %d of change %q, the script supports %d to %d: "+
			"resume the run with the sources it started with", e.config.Run.ID, v, change, lowest, highest))
	}
	return v, nil
}

// Status implements stdlib.Outside. Only the last one of a turn is of use to anybody.
func (e *Execution) Status(payload json.RawMessage) { e.status, e.statusSet = payload, true }

// ContinueAsNew implements stdlib.Outside.
func (e *Execution) ContinueAsNew(payload json.RawMessage) { e.next = payload }

// Info implements stdlib.Outside.
func (e *Execution) Info() stdlib.Info {
	info := stdlib.Info{ID: e.config.Run.ID, Run: max(e.config.Run.Number, 1), Workflow: e.config.Workflow, Started: e.started,
		Replaying: e.replaying, Turn: e.turn}
	if e.config.Parent != nil {
		info.Parent = e.config.Parent.ID
	}
	return info
}

// Log implements stdlib.Outside.
func (e *Execution) Log(level slog.Level, message string, attrs ...slog.Attr) {
	if !e.replaying && e.config.Log != nil {
		e.config.Log.LogAttrs(context.Background(), level, message, attrs...)
	}
}

func (e *Execution) print(line string) {
	if !e.replaying && e.config.Print != nil && !e.session.muted {
		e.config.Print(line)
	}
}

// Seed implements stdlib.Outside: runs that continue each other differ, and so do runs of one ID in different stores.
func (e *Execution) Seed() uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%d\x00%d", e.config.Run.ID, max(e.config.Run.Number, 1), e.started.UnixNano())
	return h.Sum64()
}
