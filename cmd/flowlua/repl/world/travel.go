package world

import (
	"maps"
	"slices"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// Mark is where the world is: Return comes back to it.
func (w *World) Mark() int { return w.steps }

// Return makes the world what it was at a mark, or after a turn of the session (Run.Stamp). What came later never was: runs
// are rebuilt from what is left of their histories.
func (w *World) Return(mark int) {
	w.steps = mark
	w.clock = slices.DeleteFunc(w.clock, func(t tick) bool { return t.step > mark })
	w.now = w.start
	if n := len(w.clock); n > 0 {
		w.now = w.clock[n-1].now
	}
	w.stubs = slices.DeleteFunc(w.stubs, func(s stub) bool { return s.step > mark })
	w.runs = slices.DeleteFunc(w.runs, func(r *Run) bool {
		if r.born > mark {
			r.close()
		}
		return r.born > mark
	})
	for _, r := range w.runs {
		r.truncate(mark)
	}
	for _, r := range w.runs {
		r.derive(mark)
	}
	for _, r := range w.runs { // what was on its way
		for op, child := range r.children {
			if child != nil && child.closed {
				delete(r.children, op)
				last := child.turns[len(child.turns)-1].Decisions
				r.Happen(workflow.ChildOutcome(op, child.Ref.ID, child.Workflow, &last[len(last)-1]))
			}
		}
	}
}

// GoTo is Return for a mark within what happened at one time: the rest of that happens anew.
func (w *World) GoTo(mark int) error {
	w.Return(mark)
	return w.settle()
}

// Stamp is the mark after a turn, by its number from 1.
func (r *Run) Stamp(turn int) int { return r.stamps[turn-1] }

func (r *Run) truncate(mark int) {
	n, _ := slices.BinarySearch(r.stamps, mark+1)
	if n < len(r.turns) || r.spoilt {
		if r.execution != nil {
			r.execution.Close()
			r.execution = nil
		}
		r.turns, r.stamps, r.spoilt = slices.Clip(r.turns[:n]), slices.Clip(r.stamps[:n]), false
	}
	if kept := slices.IndexFunc(r.edits, func(e edit) bool { return e.step > mark }); kept >= 0 {
		r.edits = r.edits[:kept]
		if r.execution != nil {
			r.execution.Close()
			r.execution = nil
		}
	}
	r.inbox = nil
	if n == 0 {
		r.inbox = []history.Event{{Kind: history.RunStarted, Name: r.Workflow, Payload: r.input}}
	}
}

// derive finds out from the history what is open.
func (r *Run) derive(mark int) {
	clear(r.timers)
	clear(r.children)
	r.closed = false
	open, sent := map[string]bool{}, map[string]bool{}
	for t := range r.turns {
		for i := range r.turns[t].Events {
			switch ev := &r.turns[t].Events[i]; ev.Kind {
			case history.TimerFired:
				delete(r.timers, ev.Op)
			case history.ActivityCompleted, history.ActivityFailed:
				delete(open, ev.Op)
			case history.ChildCompleted, history.ChildFailed:
				delete(r.children, ev.Op)
			case history.SignalDelivered, history.SignalFailed:
				delete(sent, ev.Op)
			}
		}
		for i := range r.turns[t].Decisions {
			switch d := &r.turns[t].Decisions[i]; d.Kind {
			case history.TimerStarted:
				r.timers[d.Op] = timer{d.At, r.stamps[t]<<20 + i}
			case history.TimerCancelled:
				delete(r.timers, d.Op)
			case history.ActivityScheduled:
				open[d.Op] = true
			case history.ChildStarted:
				r.children[d.Op] = r.childOf(d)
			case history.SignalSent:
				sent[d.Op] = true
			default:
				r.closed = r.closed || d.Kind.Closes()
			}
		}
	}
	if r.closed {
		clear(r.timers)
		clear(open)
		clear(r.children)
	}
	for _, op := range slices.Sorted(maps.Keys(sent)) {
		r.Happen(history.Event{Kind: history.SignalDelivered, Op: op})
	}
	for op, a := range r.acts {
		if a.born > mark {
			a.stopJob()
			delete(r.acts, op)
			continue
		}
		a.restore(mark, open[op])
	}
}

// childOf is the latest run of a child; it may have failed to start.
func (r *Run) childOf(d *history.Event) *Run {
	for _, child := range slices.Backward(r.world.runs) {
		if child.Parent != nil && child.Parent.Ref == r.Ref && child.Parent.Op == d.Op {
			return child
		}
	}
	return nil
}

// restore gives an activity its state at a mark. An attempt that was half way, and has gone on since, begins again: what it
// has done cannot be undone.
func (a *Activity) restore(mark int, open bool) {
	n := len(a.log)
	for n > 1 && a.log[n-1].step > mark {
		n--
	}
	same := n == len(a.log) && a.job != nil
	a.log = a.log[:n]
	a.State = a.log[n-1].State
	a.open = open
	if same && open {
		return
	}
	a.stopJob()
	switch {
	case !open:
	case a.outcome != nil:
		a.Run.Happen(*a.outcome)
	case a.Performed:
		a.Again = a.Run.world.now
		a.close, a.beat, a.wakes = time.Time{}, time.Time{}, time.Time{}
	}
}

// Replay re-runs the session from its history and compares; nil: it is identical.
func (w *World) Replay() error {
	r := w.Session()
	now, err := r.Execution()
	if err != nil {
		return err
	}
	config := r.config()
	config.Print, config.Log = nil, nil
	again, err := workflow.Replay(config, workflow.Turns(r.turns))
	if err != nil {
		return err
	}
	defer again.Close()
	return sameTree(now.Dump(), again.Dump())
}

// Recording is the session as a document.
func (w *World) Recording() history.Recording {
	r := w.Session()
	run := history.Run{Ref: r.Ref, Workflow: r.Workflow, Program: w.program.Hash(), Status: history.Open, Created: w.start}
	for _, t := range r.turns {
		run.Apply(t)
	}
	return history.Recording{Format: history.Format, Run: run, Sources: w.program.Sources(), Turns: r.turns}
}

// Reload replaces the texts of chunks, by their names, and reads modules again, as if all had been so from the beginning. The
// error says what does not fit; nothing is changed then.
func (w *World) Reload(texts map[string]string) error {
	old, program := w.files, w.program
	w.files = map[string]string{}
	for name := range old { // all that a replay may ask for
		if _, err := (modules{w}).ReadFile(name); err != nil {
			w.files[name] = old[name]
		}
	}
	keep := func(err error) error {
		w.files, w.program = old, program
		return err
	}
	if err := w.prepare(); err != nil {
		return keep(err)
	}
	var fresh []*Run
	for _, r := range w.runs {
		again := *r
		again.turns = slices.Clone(r.turns)
		again.prelude = slices.Clone(r.prelude)
		for i := range again.prelude {
			replace(&again.prelude[i], texts)
		}
		for i, t := range again.turns {
			again.turns[i].Events = slices.Clone(t.Events)
			for k, ev := range t.Events {
				if typed, err := workflow.TypedIn(&ev); ev.Kind == history.ChunkEntered && err == nil && replace(&typed, texts) {
					again.turns[i].Events[k] = typed.Event()
				}
			}
		}
		again.execution = nil
		if _, err := again.Execution(); err != nil {
			for _, other := range fresh {
				other.execution.Close()
			}
			return keep(err)
		}
		fresh = append(fresh, &again)
	}
	for i, r := range w.runs {
		if r.execution != nil {
			r.execution.Close()
		}
		r.turns, r.prelude, r.execution = fresh[i].turns, fresh[i].prelude, fresh[i].execution
	}
	return nil
}

func replace(typed *workflow.Typed, texts map[string]string) bool {
	text, ok := texts[typed.Name]
	if ok {
		typed.Source = text
	}
	return ok
}
