package flowlua

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/workflow"
)

// execution is an open run in memory. What happens to it is put into its inbox; whenever that is not empty it is in the
// engine's pool of turns, so that one goroutine at most works on it and none while it is idle.
type execution struct {
	engine  *Engine
	run     history.Run // as it was created
	program *workflow.Program
	own     []string // activities that the script implements

	mu      sync.Mutex
	inbox   history.Buffer
	spare   history.Buffer     // the inbox before, to be used again
	begun   bool               // it has made a turn: it goes before runs that have not, so that few are under way
	acks    []func(error)      // of what is in the inbox, to be called when it is committed
	calls   []func(*execution) // to be made between turns
	waiting bool               // in the pool, or being worked on
	ended   bool               // nothing more goes in

	// Of the goroutine that makes the turns.
	flow     flow // nil before the first turn and after the last
	turn     int64
	last     time.Time
	tasks    map[string]*task // open activities by operation
	timers   map[string]*alarm
	children map[string]string // IDs of open children by operation

	done chan struct{} // closed at the end; what follows may be read then
	next *execution    // of a run that was continued as new
	end  history.Event // the closing decision
	err  error         // the engine error that stopped the run, or ErrClosed
}

// flow is a workflow.Execution, or one that verifies itself.
type flow interface {
	looked
	Turn(now time.Time, events []history.Event) ([]history.Event, error)
	Closing() history.Event
	Untaken() []history.Event
	Close()
}

// looked is the part of it that changes nothing.
type looked interface {
	Query(name string, args json.RawMessage) (json.RawMessage, error)
	Dump() []scheduler.Node
}

func (e *Engine) newExecution(run history.Run, program *workflow.Program) *execution {
	return &execution{engine: e, run: run, program: program, own: program.Activities(), done: make(chan struct{})}
}

// post tells the run what has happened. ack, if not nil, is called when the event is in the history, or with the reason
// why it will not be.
func (r *execution) post(ev history.Event, ack func(error)) {
	r.mu.Lock()
	if r.ended {
		r.mu.Unlock()
		if ack != nil {
			ack(r.closedError())
		}
		return
	}
	r.inbox.Add(&ev)
	if ack != nil {
		r.acks = append(r.acks, ack)
	}
	r.wake()
}

// call runs fn between turns, when nothing else touches the run, and reports whether it will.
func (r *execution) call(fn func(*execution)) bool {
	r.mu.Lock()
	if r.ended {
		r.mu.Unlock()
		return false
	}
	r.calls = append(r.calls, fn)
	r.wake()
	return true
}

// wake puts the run into the pool unless it is there, and unlocks it.
func (r *execution) wake() {
	idle, begun := !r.waiting, r.begun
	r.waiting = true
	r.mu.Unlock()
	if idle {
		r.queue(begun)
	}
}

func (r *execution) queue(begun bool) {
	if begun {
		r.engine.turns.addUrgent(r)
	} else {
		r.engine.turns.add(r)
	}
}

// advance is the work of the pool of turns: everything that has happened to a run by now goes into one turn.
func (e *Engine) advance(r *execution, _ *bool) {
	r.mu.Lock()
	inbox, acks, calls := r.inbox, r.acks, r.calls
	r.inbox, r.spare, r.acks, r.calls = r.spare, history.Buffer{}, nil, nil
	r.mu.Unlock()

	if events := inbox.Take(); len(events) > 0 {
		err := r.makeTurn(events)
		for _, ack := range acks {
			ack(err)
		}
	}
	for _, fn := range calls {
		fn(r)
	}

	r.mu.Lock()
	again := r.inbox.Len()+len(r.calls) > 0
	r.waiting, r.begun, r.spare = again, true, inbox
	r.mu.Unlock()
	if again {
		r.queue(true)
	}
}

// seal ends the intake and returns what was left in it.
func (r *execution) seal() (events []history.Event, acks []func(error), calls []func(*execution)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	events, acks, calls = r.inbox.Take(), r.acks, r.calls
	r.acks, r.calls = nil, nil
	return events, acks, calls
}

// closedError is what a caller hears who wants something of a run that takes nothing more.
func (r *execution) closedError() error {
	select {
	case <-r.done:
		if r.err != nil {
			return r.err
		}
	default:
	}
	return &notOpenError{run: r.run.ID}
}

// payload is a JSON array of one value.
func payload(value json.RawMessage) json.RawMessage {
	return append(append(json.RawMessage{'['}, value...), ']')
}
