package world

import (
	"errors"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

// edit is something that was evaluated in the copy of a run. It is evaluated again when the copy is rebuilt.
type edit struct {
	step  int
	turns int // how many there were
	again func(e *workflow.Execution)
}

// Copy makes a world of the copy of a run, at the end of its turns, of which there must be one. What its turns have begun
// elsewhere, activities and children, is done by nobody: it waits for whoever sits at the session.
func Copy(config Config, run history.Run, program *workflow.Program, turns []history.Turn) (*World, error) {
	if len(turns) == 0 {
		return nil, errors.New("the run has not made its first turn: there is nothing to look at yet")
	}
	w := &World{config: config, files: program.Sources().Files, now: turns[0].Time, start: turns[0].Time, program: program, copied: true}
	r := &Run{Ref: run.Ref, Workflow: run.Workflow, Parent: run.Parent, world: w, born: w.step(), input: run.Input,
		timers: map[string]timer{}, acts: map[string]*Activity{}, children: map[string]*Run{}}
	w.runs = append(w.runs, r)
	for i := range turns {
		if err := w.follow(&turns[i]); err != nil {
			w.Close()
			return nil, err
		}
	}
	r.derive(w.steps)
	return w, nil
}

// Follow makes a turn of a log in a copy. If the copy decides something else than the log, the error is a
// *workflow.NonDeterminismError and nothing has happened.
func (w *World) Follow(t *history.Turn) error {
	mark := w.steps
	if err := w.follow(t); err != nil {
		w.Return(mark)
		return err
	}
	w.Session().derive(w.steps)
	return nil
}

func (w *World) follow(t *history.Turn) error {
	r := w.Session()
	e, err := r.Execution()
	if err != nil {
		return err
	}
	ended := w.interrupts.guard(func() { e.Interrupt(ErrInterrupted) })
	err = e.Follow(t)
	ended()
	if err != nil {
		r.spoilt = true
		return err
	}
	r.inbox = nil
	w.setNow(t.Time)
	r.turns = append(r.turns, *t)
	stamp := w.step()
	r.stamps = append(r.stamps, stamp)
	for i := range t.Decisions {
		if d := &t.Decisions[i]; d.Kind == history.ActivityScheduled {
			r.schedule(d, stamp)
			r.acts[d.Op].take()
		}
	}
	return nil
}

// Diverge makes a turn with the events of a log in which the copy may decide what it likes.
func (w *World) Diverge(t *history.Turn) error {
	return w.Do(func() error {
		r := w.Session()
		w.setNow(t.Time)
		r.inbox = t.Events
		for i := range t.Events {
			delete(r.timers, t.Events[i].Op)
			delete(r.children, t.Events[i].Op)
			if a := r.acts[t.Events[i].Op]; a != nil && t.Events[i].Kind != history.ActivityCancelRequested {
				a.outcome = &t.Events[i]
				a.changed()
			}
		}
		return nil
	})
}

// Orphan reports whether there is an open child at a place in the copy whose run is not in the world.
func (w *World) Orphan(op string) bool {
	child, open := w.Session().children[op]
	return open && child == nil
}

// EndOrphan tells the copy how such a child has ended: by the decision that would have closed its run.
func (w *World) EndOrphan(op, name string, closing history.Event) error {
	return w.Do(func() error {
		delete(w.Session().children, op)
		w.Session().Happen(workflow.ChildOutcome(op, w.Session().Ref.ID+op, name, &closing))
		return nil
	})
}

// Evaluate runs a chunk in the copy, in a level of the run's: at finds it again when the copy is rebuilt. An engine error leaves the
// copy as it was before.
func (w *World) Evaluate(at func(e *workflow.Execution) (vm.Level, error), name, source string) ([]lua.LValue, error) {
	r := w.Session()
	e, err := r.Execution()
	if err != nil {
		return nil, err
	}
	level, err := at(e)
	if err != nil {
		return nil, err
	}
	ended := w.interrupts.guard(func() { e.Interrupt(ErrInterrupted) })
	values, err := e.Evaluate(level, name, source)
	ended()
	var limit *vm.LimitError
	if w.interrupts.raised() || errors.As(err, &limit) {
		r.close()
		if w.interrupts.raised() {
			err = ErrInterrupted
		}
		return nil, err
	}
	r.edits = append(r.edits, edit{w.step(), len(r.turns), func(e *workflow.Execution) {
		if level, err := at(e); err == nil {
			_, _ = e.Evaluate(level, name, source) // with the error that it had before
		}
	}})
	return values, err
}

// rebuild replays a run, a copy with what was evaluated in it.
func (r *Run) rebuild() (*workflow.Execution, error) {
	e, err := workflow.New(r.config())
	if err != nil {
		return nil, err
	}
	edits := r.edits
	for i := range r.turns {
		if err := e.Follow(&r.turns[i]); err != nil {
			e.Close()
			return nil, err
		}
		for ; len(edits) > 0 && edits[0].turns == i+1; edits = edits[1:] {
			edits[0].again(e)
		}
	}
	return e, nil
}

// Start is the time of the first turn.
func (w *World) Start() time.Time { return w.start }

// Source is the text of a file of the program, "" if it has none of the name.
func (w *World) Source(file string) string { return w.program.Sources().Files[file] }
