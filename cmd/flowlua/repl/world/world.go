// Package world is what surrounds a session: a virtual clock, the runs that the session and its children are, and their
// activities, which are performed here or wait for somebody to play the worker. All of its state is data beside histories, so
// that it can go back to any step.
package world

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

// Config of a World; the zero value works.
type Config struct {
	Print   func(line string) // what the session prints, and what its children do
	Stdout  io.Writer         // of activities; nil: nowhere
	Log     *slog.Logger      // of flow.log
	Modules fs.FS             // where require finds modules; what was read once is kept
	Limits  vm.Limits
}

// typedStart is the time at which every session begins: nothing in it depends on the day it is typed.
var typedStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// ErrInterrupted is the engine error of what Interrupt has ended.
var ErrInterrupted = errors.New("interrupted")

// World is a session and what it has started. It is not safe for concurrent use, but for Interrupt.
type World struct {
	config  Config
	program *workflow.Program
	files   map[string]string // of modules, as they were read
	start   time.Time
	now     time.Time
	copied  bool // of a run that was not typed
	steps   int  // counts whatever changes, so that everything can be told by when it was
	clock   []tick
	stubs   []stub
	runs    []*Run

	interrupts interrupts
}

type tick struct {
	step int
	now  time.Time
}

type stub struct {
	step    int
	name    string
	payload json.RawMessage
}

// New begins a session.
func New(config Config) (*World, error) {
	w := &World{config: config, files: map[string]string{}, start: typedStart, now: typedStart}
	if err := w.prepare(); err != nil {
		return nil, err
	}
	w.begin(history.Ref{ID: "session", Number: 1}, "session", nil, nil, nil)
	return w, w.Do(func() error { return nil })
}

func (w *World) prepare() (err error) {
	w.program, err = workflow.NewProgram(history.Sources{Files: w.files})
	return err
}

// Session is the run that is typed.
func (w *World) Session() *Run { return w.runs[0] }

// Runs are all runs, the session first.
func (w *World) Runs() []*Run { return w.runs }

// Now is the virtual time, Elapsed what has passed of it.
func (w *World) Now() time.Time         { return w.now }
func (w *World) Elapsed() time.Duration { return w.now.Sub(w.start) }

// Resume forgets an interruption.
func (w *World) Resume() { w.interrupts.clear() }

// Interrupt ends what is running with ErrInterrupted, and whatever is tried until Resume is called. It may be called from
// another goroutine.
func (w *World) Interrupt() { w.interrupts.raise() }

// Do makes something happen and lets everything react that can at this time. If that ends with an engine error (a limit,
// an interruption), nothing of it has happened.
func (w *World) Do(happen func() error) error {
	mark := w.steps
	err := happen()
	if err == nil {
		err = w.settle()
	}
	if err != nil {
		w.Return(mark)
	}
	return err
}

// Enter types a chunk. It must compile.
func (w *World) Enter(t workflow.Typed) error {
	return w.Do(func() error { w.Session().Happen(t.Event()); return nil })
}

// settle lets runs and activities react until none has anything to react to now.
func (w *World) settle() error {
	for busy := true; busy; {
		busy = false
		for _, r := range w.runs {
			for len(r.inbox) > 0 {
				busy = true
				if err := r.turn(); err != nil {
					return err
				}
			}
		}
		for _, a := range w.Activities() {
			if at := a.due(); !at.IsZero() && !at.After(w.now) {
				busy = true
				a.fire()
			}
		}
		if w.interrupts.raised() {
			return ErrInterrupted
		}
	}
	return nil
}

func (w *World) step() int {
	w.steps++
	return w.steps
}

// Close frees everything.
func (w *World) Close() {
	for _, r := range w.runs {
		r.close()
	}
}
