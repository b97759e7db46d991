// Package workflow makes one execution of a script a pure state machine: what happened goes in, what the run decides comes
// out. It has no clock, no I/O and no goroutine of its own, so the same code serves the in-memory engine, the durable one, the
// test kit and replay.
package workflow

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"runtime"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// Config says what to run. Only Program must be set.
type Config struct {
	Program  *Program
	Workflow string          // "": the only one that Program declares
	Run      history.Ref     // part of the seed of what is random
	Parent   *history.Parent // nil: nobody's child
	Limits   vm.Limits
	Print    func(line string) // what the script prints; not called in replay
	Log      *slog.Logger      // of flow.log; not called in replay
	Library  Library           // what the script can use besides; nil: nothing
	Debug    bool              // keep where errors were raised, for Raised

	Cover func(file string, line int) // is told of each line that is run, but in verification; may be nil

	// Of sessions only:
	Modules fs.FS   // where require finds modules; nil: among the sources of Program
	Prelude []Typed // not nil: run Workflow, which these chunks declare
}

// Execution is one run in memory. It is not safe for concurrent use.
type Execution struct {
	config  Config
	state   *vm.State
	tree    *scheduler.Tree
	flow    *stdlib.Flow
	now     time.Time
	started time.Time
	turn    int64
	dead    error // an engine error, or ErrClosed

	interrupt interrupt

	replaying bool
	decided   decided
	open      map[string]begun // what was begun and is not done, by path
	children  children
	session   session
	versions  map[string]int  // of each change that was asked for
	status    json.RawMessage // what the script said last
	shown     json.RawMessage // what was decided last
	statusSet bool            // in this turn

	cancelRequested bool
	reason          json.RawMessage // of the request: one JSON value or nothing
	next            json.RawMessage // input of the run that continues this one
	closing         history.Event   // Kind 0 while open
	late            []history.Event // of the last turn, what came after the end
	raised          []Raised        // in the last turn
}

// New makes a run that has not begun: its first turn starts with a RunStarted event.
func New(config Config) (*Execution, error) {
	name, err := config.Program.choose(config.Workflow)
	if err != nil {
		return nil, err
	}
	config.Workflow = name
	e := &Execution{config: config, open: map[string]begun{}}
	tree := scheduler.Config{Clock: e}
	if config.Program.session && config.Prelude == nil {
		tree.Unobserved = e.session.lost
	}
	e.tree = scheduler.New(tree)
	return e, nil
}

// Turn takes what happened, all at one time, and returns what the run decides. The first event of all is RunStarted. An error
// is an engine error (rule 9: limits, non-determinism, a defect): nothing of the turn counts and the execution is of no further
// use; the run itself can be rebuilt from its history. The slice is the caller's.
func (e *Execution) Turn(now time.Time, events []history.Event) ([]history.Event, error) {
	if err := e.take(now, events, nil); err != nil {
		return nil, err
	}
	return e.decided.events, nil
}

// take makes one turn, live or from the log.
func (e *Execution) take(now time.Time, events []history.Event, log *history.Turn) error {
	if e.dead != nil {
		return e.dead
	}
	if e.closing.Kind != 0 {
		return ErrClosed
	}
	if now.After(e.now) { // a clock that was set back must not be seen
		e.now = now
	}
	e.turn++
	e.raised = nil
	e.replaying = log != nil
	e.decided.begin(log)
	for i := range events {
		if err := e.apply(&events[i]); err != nil {
			e.dead = err
			return err
		}
		if e.closing.Kind != 0 { // what else happened came too late
			e.late = events[i+1:]
			break
		}
	}
	e.conclude()
	return nil
}

// apply takes one event in and runs the tree until every branch waits.
func (e *Execution) apply(ev *history.Event) error {
	if (ev.Kind == history.RunStarted) != (e.state == nil) {
		return fmt.Errorf("workflow: run %q, turn %d: %s as event, expected RunStarted first and once", e.config.Run.ID, e.turn, ev.Kind)
	}
	if e.state != nil {
		e.state.Refill()
	}
	if err := e.guarded(ev); err != nil {
		return fmt.Errorf("workflow: run %q, turn %d: %s %s: %w", e.config.Run.ID, e.turn, ev.Kind, ev.Op, err)
	}
	if e.closing.Kind != 0 {
		return nil
	}
	if err := e.tree.Run(); err != nil {
		return err
	}
	if e.tree.Done() {
		e.close()
	}
	return nil
}

// Closing is the decision that ended the run; its Kind is 0 while the run is open.
func (e *Execution) Closing() history.Event { return e.closing }

// Query asks a read-only function of the script; args and answer are JSON arrays.
func (e *Execution) Query(name string, args json.RawMessage) (answer json.RawMessage, err error) {
	switch {
	case e.dead != nil:
		return nil, e.dead
	case e.state == nil:
		return nil, fmt.Errorf("workflow: run %q has not begun: it answers no queries yet", e.config.Run.ID)
	}
	e.state.Refill()
	defer recovered(&err)
	return e.flow.Query(name, args)
}

// guarded is happen; what it panics with on purpose (a limit) is an error, as it is inside the tree.
func (e *Execution) guarded(ev *history.Event) (err error) {
	defer recovered(&err)
	return e.happen(ev)
}

func recovered(err *error) {
	switch r := recover().(type) {
	case nil:
	case runtime.Error:
		panic(r)
	case error:
		*err = r
	default:
		panic(r)
	}
}

// Dump tells what every branch waits for.
func (e *Execution) Dump() []scheduler.Node { return e.tree.Dump() }

// Close unwinds what waits and frees the run's memory. The run itself is not changed by it.
func (e *Execution) Close() {
	if e.dead == ErrClosed {
		return
	}
	e.dead = ErrClosed
	e.tree.Stop()
	if e.state != nil {
		e.state.Close()
	}
}
