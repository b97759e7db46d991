package flowlua

import (
	"container/list"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/workflow"
)

// execution is an open run in memory. What happens to it is put into its inbox; whenever that is not empty it is in the
// engine's pool of turns, so that one goroutine at most works on it and none while it is idle.
type execution struct {
	engine *Engine
	owner  int64       // the number under which it is written
	run    history.Run // as it was created or claimed

	takenUp bool // another engine has begun it, or this one in another life

	mu      sync.Mutex
	inbox   history.Buffer
	spare   history.Buffer     // the inbox before, to be used again
	mail    []history.Mail     // what came through the store and is not taken yet, in order
	seen    int64              // Seq of the newest mail that came
	begun   bool               // it has made a turn, which is stored: it goes before runs that have not, so that few are under way
	acks    []func(error)      // of what is in the inbox, to be called when it is committed
	calls   []func(*execution) // to be made between turns
	waiting bool               // in the pool, or being worked on, or its turn is being committed
	ended   bool               // nothing more goes in

	// Of the goroutine that makes the turns.
	program  *workflow.Program // nil before it is needed
	own      []string          // activities that the script implements
	creation *history.NewRun   // with which it is stored, together with its first turn; nil: it is
	commit   *commit           // on its way, or written and to be acted upon
	flow     flow              // nil before the first turn, after the last, and while it is evicted
	turn     int64
	last     time.Time
	tasks    map[string]*task                // open activities by operation
	timers   map[string]*alarm               // of what it waits for by operation
	waking   *alarm                          // for a timer of a run that has been claimed and not been looked at
	children map[string]history.ChildOptions // of open children by operation
	stirred  bool                            // it is to be loaded, as it has something to do
	idle     *list.Element                   // in the engine's list of idle runs; guarded by that

	done chan struct{} // closed at the end; what follows may be read then
	next *execution    // of a run that was continued as new
	end  history.Event // the closing decision
	err  error         // the engine error that stopped it, errFenced, or ErrClosed
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

func (e *Engine) newExecution(owner int64, run history.Run) *execution {
	r := &execution{engine: e, owner: owner, run: run, turn: run.Turns, begun: run.Turns > 0, done: make(chan struct{})}
	if run.Turns == 0 {
		// First of all, before anyone can find the run and tell it something.
		r.inbox.Add(&history.Event{Kind: history.RunStarted, Name: run.Workflow, Payload: run.Input})
	}
	return r
}

// runs makes p the program of the run.
func (r *execution) runs(p *workflow.Program) *execution {
	r.program, r.own = p, p.Activities()
	return r
}

// register lets others find the run. ErrClosed if the engine is closed. Mail that came before it is taken in.
func (e *Engine) register(r *execution) error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return ErrClosed
	}
	if other := e.open[r.run.ID]; other != nil && other.run.Number == r.run.Number && !other.over() {
		e.mu.Unlock()
		return fmt.Errorf("run %q: %w", r.run.ID, ErrAlreadyExists)
	}
	r.mu.Lock()
	for _, m := range e.early[r.run.ID] { // before newer mail can come
		r.seen, r.mail = m.Seq, append(r.mail, m)
	}
	r.mu.Unlock()
	delete(e.early, r.run.ID)
	e.open[r.run.ID] = r
	e.mu.Unlock()
	return nil
}

// over reports whether nothing goes in any more.
func (r *execution) over() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
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

// advance is the work of the pool of turns: it acts upon the turn that has been committed, and makes the next one of
// everything that has happened to the run by now.
func (e *Engine) advance(r *execution, _ *bool) {
	if c := r.commit; c != nil {
		r.commit = nil
		r.committed(c)
	}
	r.mu.Lock()
	calls := r.calls
	r.calls = nil
	r.mu.Unlock()
	for _, fn := range calls {
		fn(r)
	}
	if r.step() {
		return // it comes back when that is committed
	}
	e.rest(r)
	r.mu.Lock()
	again := r.due()
	r.waiting, r.begun = again, true
	r.mu.Unlock()
	if again {
		r.queue(true)
	}
}

// due reports whether there is something to do. The run is locked.
func (r *execution) due() bool { return r.inbox.Len()+len(r.mail)+len(r.calls) > 0 }

// take empties the inbox. seq is that of the last mail that is in events, or is of no use.
func (r *execution) take() (events []history.Event, seq int64, acks []func(error)) {
	r.mu.Lock()
	inbox, mail, acks := r.inbox, r.mail, r.acks
	r.inbox, r.spare, r.mail, r.acks = r.spare, history.Buffer{}, nil, nil
	r.mu.Unlock()
	events = inbox.Take()
	for i := range mail {
		seq = mail[i].Seq
		if mail[i].Number == 0 || mail[i].Number == r.run.Number {
			events = append(events, mail[i].Event)
		}
	}
	r.mu.Lock()
	r.spare = inbox
	r.mu.Unlock()
	return r.onlyEnd(events), seq, acks
}

// seal ends the intake and returns what was left in it.
func (r *execution) seal() (events []history.Event, mail []history.Mail, acks []func(error), calls []func(*execution)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	events, mail, acks, calls = r.inbox.Take(), r.mail, r.acks, r.calls
	r.mail, r.acks, r.calls = nil, nil, nil
	return events, mail, acks, calls
}

// closedError is what a caller hears who wants something of a run that takes nothing more.
func (r *execution) closedError() error {
	select {
	case <-r.done:
		if r.err == ErrClosed || r.err == errFenced {
			return r.err
		}
	default:
	}
	return &notOpenError{run: r.run.ID} // also if the engine has stopped it: the store knows more
}

// payload is a JSON array of one value.
func payload(value json.RawMessage) json.RawMessage {
	return append(append(json.RawMessage{'['}, value...), ']')
}
