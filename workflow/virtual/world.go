// Package virtual runs workflows in virtual time: activities are plans, the clock jumps to the next thing that happens, and every
// turn is replayed from nothing and compared. Nothing in it waits, so a year of sleeping takes a millisecond.
package virtual

import (
	"cmp"
	"container/heap"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

// Config says what there is in a world. Only Program must be set.
type Config struct {
	Program    *workflow.Program
	Activities map[string]Activity
	Start      time.Time             // zero: the first of January 2026, UTC
	Limits     vm.Limits             // of each run
	Print      func(id, line string) // what the scripts print
	Trust      bool                  // do not replay every turn: for long runs
	Each       int                   // how many turns of each run are replayed, as in workflow.Verified; 0: all
	Random     func() float64        // for the jitter of declared retries; nil: none
	Turns      int                   // how many the runs may make together; 0: no limit

	// Missing plans the attempts at activities that are not among Activities. nil: no worker takes them.
	Missing Activity
	// Child may change how a child begins; at first it is as its parent began. It may be nil.
	Child func(parent *Run, child *Start) error
	// Stub plans the outcome of a child workflow that is not to be run; false: it is. It may be nil.
	Stub func(c Call) (Plan, bool)
	// Closed is told of the end of a run. It may be nil.
	Closed func(r *Run)
	// Cover is told of each line of a script that is run. It may be nil.
	Cover func(file string, line int)
	// Mail takes a signal to an ID that is no run's, and lets delivered be called, once, when its sender shall be told. false:
	// there is nobody of that ID. It may be nil.
	Mail func(from *Run, signal history.Event, delivered func()) bool
}

// World is runs and their activities under one virtual clock. It is not safe for concurrent use.
type World struct {
	config Config
	start  time.Time
	now    time.Time
	agenda agenda
	count  int
	runs   map[string]*Run // the latest of each ID
	all    []*Run
	ready  []*Run // with an inbox
	idle   []func()
	made   int // turns
	over   bool
	err    error
}

// ErrTurns is what Run answers when the runs have made as many turns as Config allows.
var ErrTurns = errors.New("virtual: the runs have made all the turns they may make")

// MostTime is how far the clock of a world goes: times that are later do not fit into what scripts and histories know of time.
const MostTime = 150 * 365 * 24 * time.Hour

// ErrTime is what Run answers when the next thing would happen later than MostTime after the start.
var ErrTime = errors.New("virtual: the clock goes no further")

// New makes a world in which nothing happens yet.
func New(config Config) *World {
	start := config.Start
	if start.IsZero() {
		start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return &World{config: config, start: start, now: start, runs: map[string]*Run{}}
}

// Elapsed is how much virtual time has passed.
func (w *World) Elapsed() time.Duration { return w.now.Sub(w.start) }

// Now is the virtual time.
func (w *World) Now() time.Time { return w.now }

// Start begins a run; workflowName "" is the only one that the program declares. Its first turn is made by Run.
func (w *World) Start(id, workflowName string, input ...any) (*Run, error) {
	payload, err := array(input)
	if err != nil {
		return nil, err
	}
	return w.Begin(Start{ID: id, Workflow: workflowName, Input: payload})
}

// Start says what to begin. Only ID must be set.
type Start struct {
	ID       string
	Program  *workflow.Program // nil: that of the world
	Workflow string            // "": the only one that the program declares
	Input    json.RawMessage   // JSON array of the arguments; nil: none
	Trust    bool              // do not replay its turns
	Last     bool              // its timers fire when nothing else is left to happen at their time
	Library  workflow.Library  // what its script can use besides; nil: nothing
}

// Begin begins a run. Its first turn is made by Run.
func (w *World) Begin(s Start) (*Run, error) {
	if s.Program == nil {
		s.Program = w.config.Program
	}
	if s.Input == nil {
		s.Input = json.RawMessage("[]")
	}
	s.Trust = s.Trust || w.config.Trust
	return w.begin(history.Ref{ID: s.ID, Number: 1}, s, nil)
}

// Find gives the latest run of an ID, nil if there is none: children are found so.
func (w *World) Find(id string) *Run { return w.runs[id] }

// All are the runs there have been, in the order of their starts.
func (w *World) All() []*Run { return w.all }

// At does something when the given time has passed since the world's start: a signal, a cancel, a look.
func (w *World) At(elapsed time.Duration, do func()) { w.schedule(w.start.Add(elapsed), do) }

// Idle does something when nothing more can happen at the present time.
func (w *World) Idle(do func()) { w.idle = append(w.idle, do) }

// Stop ends Run before the next turn; err is what it then returns.
func (w *World) Stop(err error) {
	if !w.over {
		w.over, w.err = true, err
	}
}

// Run lets everything happen until nothing is left that could: every run is closed or waits for something from outside. The
// error is an engine error of a run, or a replay that differs.
func (w *World) Run() error { return w.RunFor(0) }

// RunFor is Run that stops when the given time has passed since the world's start; 0 is no limit.
func (w *World) RunFor(elapsed time.Duration) error {
	end := w.start.Add(elapsed)
	for !w.over {
		w.turns()
		item := w.agenda.next()
		if len(w.idle) > 0 && !w.over && (item == nil || item.at.After(w.now)) {
			do := w.idle[0]
			w.idle = w.idle[1:]
			do()
			continue
		}
		if w.over || item == nil || elapsed > 0 && item.at.After(end) {
			break
		}
		if item.at.Sub(w.start) > MostTime {
			w.Stop(ErrTime)
			break
		}
		w.now = item.at
		for ; item != nil && item.at.Equal(w.now); item = w.agenda.next() { // all that happens at one time is one batch
			heap.Pop(&w.agenda)
			item.do()
		}
	}
	if elapsed > 0 && w.now.Before(end) && !w.over {
		w.now = end
	}
	return w.err
}

// turns lets the runs react until none has anything to react to at this time.
func (w *World) turns() {
	for !w.over && len(w.ready) > 0 {
		r := w.ready[0]
		w.ready = w.ready[1:]
		if w.made++; w.config.Turns > 0 && w.made > w.config.Turns {
			w.Stop(ErrTurns)
			return
		}
		if err := r.turn(); err != nil {
			w.Stop(fmt.Errorf("run %q: %w", r.ref.ID, err))
		}
	}
}

// Close frees all runs.
func (w *World) Close() {
	for _, r := range w.all {
		r.execution.Close()
	}
}

func (w *World) schedule(at time.Time, do func()) *item {
	if at.Before(w.now) {
		at = w.now
	}
	w.count++
	it := &item{at: at, order: w.count, do: do}
	heap.Push(&w.agenda, it)
	return it
}

func (w *World) after(d time.Duration, do func()) *item { return w.schedule(w.now.Add(d), do) }

// item is something that will happen.
type item struct {
	at    time.Time
	order int
	do    func()
	off   bool
}

func (it *item) cancel() {
	if it != nil {
		it.off = true
	}
}

type agenda []*item

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return cmp.Or(a[i].at.Compare(a[j].at), cmp.Compare(a[i].order, a[j].order)) < 0
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(*item)) }
func (a *agenda) Pop() any {
	last := len(*a) - 1
	x := (*a)[last]
	*a = (*a)[:last]
	return x
}

// next drops what was called off and shows what comes first.
func (a *agenda) next() *item {
	for len(*a) > 0 {
		if !(*a)[0].off {
			return (*a)[0]
		}
		heap.Pop(a)
	}
	return nil
}

// array is a payload.
func array(values []any) (json.RawMessage, error) {
	if len(values) == 0 {
		return json.RawMessage("[]"), nil
	}
	return json.Marshal(values)
}
