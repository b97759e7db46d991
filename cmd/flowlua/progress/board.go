// Package progress shows a run while it runs: as a tree that is redrawn in place on a terminal, or as plain lines.
//
// A Board keeps what is known about each step of the run, Lines draws it, a Screen puts the lines on a terminal.
package progress

import (
	"strings"
	"time"

	"github.com/flowlua/flowlua/history"
)

// State is how far a step is.
type State int

// The states of a step. Waiting steps have not begun; a retrying one failed and waits for its next attempt. Of a branch or a
// scope that is over and in which something failed or was cancelled nobody says whether that was caught: it is Ended.
const (
	Waiting State = iota
	Running
	Retrying
	Sleeping
	Done
	Failed
	Cancelled
	Ended
)

// Over reports whether nothing more will happen to the step.
func (s State) Over() bool { return s >= Done }

// Step is a branch, scope, activity, timer or child workflow of the run.
type Step struct {
	Path    string // its place in the execution tree: "/1/2" is the second thing that "/1" began; "" is the run itself
	Kind    string // "branch", "activity", …
	Name    string
	State   State
	Attempt int          // of an activity, from 1; 0 is unknown
	Of      int          // most attempts, 0 for no limit
	Past    history.Past // the attempts of an activity that took more than one, as its outcome tells
	Note    string       // last failure, what it waits for
	Began   time.Time
	Ended   time.Time

	scope    bool
	children []*Step
}

// Board is the state of a run's tree. The zero value is an empty one.
type Board struct {
	root  *Step
	steps map[string]*Step
}

// Step finds the step at a path, or makes it (and its ancestors) there.
func (b *Board) Step(path string) *Step {
	if b.steps == nil {
		b.root = &Step{}
		b.steps = map[string]*Step{"": b.root}
	}
	if s := b.steps[path]; s != nil {
		return s
	}
	s := &Step{Path: path, Name: phase(path)}
	b.steps[path] = s
	parent := b.Step(above(path))
	parent.children = append(parent.children, s)
	if strings.HasPrefix(path, parent.Path+"t/") || s.Name != "" {
		parent.scope = true
	}
	return s
}

// Find finds the step at a path, nil if there is none.
func (b *Board) Find(path string) *Step { return b.steps[path] }

// above is the path of the step that a step was begun in. The try phase of the scope "/2", "/2t", is the scope itself; its catch
// and finally, "/2c" and "/2f", are steps of it.
func above(path string) string {
	if last := len(path) - 1; path[last] == 'c' || path[last] == 'f' {
		return path[:last]
	}
	return strings.TrimSuffix(path[:max(0, strings.LastIndexByte(path, '/'))], "t")
}

// phase names the steps that a path alone tells of.
func phase(path string) string {
	switch {
	case strings.HasSuffix(path, "c"):
		return "catch"
	case strings.HasSuffix(path, "f"):
		return "finally"
	}
	return ""
}

// settle gives the branches and scopes, of which no event tells, the state that follows from what they began.
func (s *Step) settle() {
	for _, c := range s.children {
		c.settle()
	}
	if s.Kind != "" || len(s.children) == 0 || s.Path == "" {
		return
	}
	s.Began, s.Ended = time.Time{}, time.Time{}
	s.State = Done
	for i, c := range s.children {
		last := i == len(s.children)-1
		if s.State == Done && c.State > Done && (c.Kind != "timer" || last) { // a wait with a timeout cancels its timer
			s.State = Ended
		}
		if !c.Began.IsZero() && (s.Began.IsZero() || c.Began.Before(s.Began)) {
			s.Began = c.Began
		}
		if c.Ended.After(s.Ended) {
			s.Ended = c.Ended
		}
		if !c.State.Over() && c.State != Waiting {
			s.State = Running
		} else if c.State == Waiting && s.State != Running {
			s.State = Waiting
		}
	}
}

// plain is the step to show for this one: a branch that began only one thing is no more than that.
func (s *Step) plain() *Step {
	for s.Kind == "" && s.Name == "" && len(s.children) == 1 {
		s = s.children[0]
	}
	return s
}

// Begin notes that the step runs since the given time, if it was not running yet.
func (s *Step) Begin(state State, at time.Time) {
	if s.Began.IsZero() {
		s.Began = at
	}
	if !s.State.Over() {
		s.State = state
	}
}

// End notes the step's last state.
func (s *Step) End(state State, at time.Time) {
	if s.State.Over() {
		return
	}
	s.State, s.Ended = state, at
	if s.Began.IsZero() {
		s.Began = at
	}
}

// Took is how long the step has been running.
func (s *Step) Took(now time.Time) time.Duration {
	if s.Began.IsZero() {
		return 0
	}
	if s.State.Over() {
		now = s.Ended
	}
	return max(0, now.Sub(s.Began))
}

// Root is the run itself, with the states of branches and scopes that follow from what they began; nil of an empty board.
func (b *Board) Root() *Step {
	if b.root != nil {
		b.root.settle()
	}
	return b.root
}

// Children are the steps that this one began, in order. Not to be changed.
func (s *Step) Children() []*Step { return s.children }

// Scope reports whether the step is a try with what belongs to it.
func (s *Step) Scope() bool { return s.scope }

// String is the state in a word.
func (s State) String() string {
	return [...]string{"waiting", "running", "retrying", "sleeping", "done", "failed", "cancelled", "ended"}[s]
}
