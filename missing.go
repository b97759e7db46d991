package flowlua

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// MissingActivityError says that a run needs activities which this engine does not have. The run is open and as it was: an
// engine that has them takes it up, which may be this one once they are registered.
type MissingActivityError struct {
	Run        string   // its ID
	Activities []string // their names
}

// Error says what to do.
func (e *MissingActivityError) Error() string {
	return fmt.Sprintf("flowlua: run %q is left alone: it waits for activity %s, which is neither registered here nor implemented by its script: "+
		"register it (Engine.RegisterActivity), or let the program that has it take the run up", e.Run, strings.Join(e.Activities, ", "))
}

// leftRuns are those that this engine has left to others, with the number of turns that they had then. They are looked at again
// when they have made more, or when an activity is registered.
type leftRuns map[history.Ref]leftRun

type leftRun struct {
	turns int64
	at    time.Time
}

// turns is what a claim excepts.
func (l leftRuns) turns() map[history.Ref]int64 {
	turns := make(map[history.Ref]int64, len(l))
	for ref, left := range l {
		turns[ref] = left.turns
	}
	return turns
}

// maxLeft is how many are known; beyond it they are forgotten, and looked at again.
const maxLeft = 1 << 16

// leaves notes that a run is left alone.
func (e *Engine) leaves(ref history.Ref, turns int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.left == nil || len(e.left) >= maxLeft {
		e.left = leftRuns{}
	}
	e.left[ref] = leftRun{turns, time.Now()}
}

// leavesNot takes that back.
func (e *Engine) leavesNot(ref history.Ref) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.left, ref)
}

// hasLeft tells when a run was left alone, if it has made no more turns since than these.
func (e *Engine) hasLeft(ref history.Ref, turns int64) (at time.Time, left bool) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	then, left := e.left[ref]
	return then.at, left && turns <= then.turns
}

// missing are the activities of a list that neither the script nor the engine has; nil: none. A run that this engine has
// started misses none: a name that nobody knows is misspelt there, and the activity fails.
func (r *execution) missing(names []string) error {
	if !r.takenUp {
		return nil
	}
	var unknown []string
	r.engine.mu.RLock()
	for _, name := range names {
		if r.engine.activities[name] == nil && !r.implements(name) && !slices.Contains(unknown, name) {
			unknown = append(unknown, name)
		}
	}
	r.engine.mu.RUnlock()
	if unknown == nil {
		return nil
	}
	return &MissingActivityError{Run: r.run.ID, Activities: unknown}
}

// missingOpen are the missing of activities that have begun and are not performed here.
func (r *execution) missingOpen(open []workflow.OpenOperation) error {
	var names []string
	for i := range open {
		if ev := &open[i].Event; ev.Kind == history.ActivityScheduled && r.tasks[ev.Op] == nil && !open[i].CancelRequested {
			names = append(names, ev.Name)
		}
	}
	return r.missing(names)
}

// missingNew are the missing of activities that a turn begins.
func (r *execution) missingNew(decisions []history.Event) error {
	if !r.takenUp {
		return nil
	}
	var names []string
	for i := range decisions {
		switch d := &decisions[i]; {
		case d.Kind == history.ActivityScheduled:
			names = append(names, d.Name)
		case d.Kind.Closes():
			return nil
		}
	}
	return r.missing(names)
}

// missingOf are the missing of a run that this engine does not drive.
func (e *Engine) missingOf(ctx context.Context, run history.Run) error {
	program, err := e.programs.stored(ctx, e.store, run.Program)
	if err != nil {
		return nil // who takes it up says it better
	}
	var log workflow.Log
	for _, err := range log.Following(e.store.Turns(ctx, run.Ref, 0)) {
		if err != nil {
			return fmt.Errorf("flowlua: run %q: %w", run.ID, err)
		}
	}
	r := &execution{engine: e, run: run, takenUp: true}
	return r.runs(program).missingOpen(log.Open())
}

// leaving makes a commit, whose turn may be empty, one after which the run is nobody's.
func (r *execution) leaving(c *commit, missing error) {
	turns := r.turn
	if c.steps == nil {
		c.turn = history.Turn{}
		c.steps = []history.Step{{Ref: r.run.Ref}}
	} else {
		turns = c.turn.Seq
	}
	c.left = missing
	c.steps[len(c.steps)-1].Leave = true
	r.engine.leaves(r.run.Ref, turns) // before anybody can see that it is nobody's
}

// leave lets go of a run that is nobody's now.
func (r *execution) leave(c *commit) {
	e := r.engine
	e.log.Warn("run left alone", "run", r.run.ID, "error", c.left)
	if observe := e.config.Observer.Left; observe != nil {
		observe(r.run.Ref, c.left)
	}
	if c.turn.Seq > 0 {
		r.beginChildren(c)
	}
	r.release(c.left, nil)
}
