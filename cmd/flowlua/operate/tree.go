package operate

import (
	"context"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
)

// Branch is a part of an execution tree as JSON.
type Branch struct {
	Path     string    `json:"path"` // that of what a child run has begun follows the child's
	Kind     string    `json:"kind"` // workflow, branch, scope, activity, timer, child, signal
	Name     string    `json:"name"`
	State    string    `json:"state"` // waiting, running, retrying, sleeping, done, failed, cancelled, ended
	Began    time.Time `json:"began,omitzero"`
	Ended    time.Time `json:"ended,omitzero"`
	Seconds  float64   `json:"seconds"`
	Attempt  int       `json:"attempt,omitempty"`
	Attempts int       `json:"max_attempts,omitempty"`
	Note     string    `json:"note,omitempty"`
	Children []Branch  `json:"children"`

	Past history.Past `json:"attempts,omitempty"` // of an activity that has ended and took more than one
}

// Tree draws the execution tree of a run: what it has begun, with states, durations and attempts, and that of its children.
func (c *Console) Tree(ctx context.Context, id string) error {
	run, err := c.Find(ctx, id)
	if err != nil {
		return err
	}
	g := grown{Console: c}
	if g.live, err = c.drivers(ctx); err != nil {
		return err
	}
	if err := g.add(ctx, run, ""); err != nil {
		return err
	}
	return g.write()
}

func (g *grown) write() error {
	now := g.now()
	g.watch.Edit((*progress.Board).Sort)
	if g.Format != Text && g.Format != "" {
		var root Branch
		g.watch.Edit(func(b *progress.Board) { root = branch(b.Root(), now) })
		return g.document(root)
	}
	for _, line := range g.watch.Lines(now, progress.Style{Width: g.Width, Height: g.Height, Color: g.Color, Paths: true}) {
		if err := g.say("%s", line); err != nil {
			return err
		}
	}
	return nil
}

func branch(s *progress.Step, now time.Time) Branch {
	b := Branch{Path: s.Path, Kind: s.Kind, Name: s.Name, State: s.State.String(), Began: s.Began, Ended: s.Ended,
		Seconds: s.Took(now).Seconds(), Attempts: s.Of, Note: s.Note, Children: []Branch{}, Past: s.Past}
	if s.Attempt > 1 || s.State == progress.Retrying {
		b.Attempt = s.Attempt
	}
	if b.Kind == "" {
		if b.Kind = "branch"; s.Scope() {
			b.Kind = "scope"
		}
	}
	for _, child := range s.Children() {
		b.Children = append(b.Children, branch(child, now))
	}
	return b
}

// grown is a tree that runs are added to.
type grown struct {
	*Console
	watch progress.Watch
	live  map[int64]*Driver
	depth int
	runs  int // that were drawn
}

// closely is how many runs are rebuilt for the names of their branches, besides those that are open.
const closely = 50

// deepest is how many children inside each other are drawn.
const deepest = 20

// add draws a run, whose place in the whole is that of its operation in its parent.
func (g *grown) add(ctx context.Context, run history.Run, place string) error {
	var turns []history.Turn
	for t, err := range g.Store.Turns(ctx, run.Ref, 0) {
		if err != nil {
			return err
		}
		turns = append(turns, t)
		g.turn(run.Ref, &t)
	}
	if err := g.outside(ctx, &run, place, turns); err != nil {
		return err
	}
	if g.runs++; g.runs <= closely || run.Status == history.Open {
		if err := g.inside(ctx, &run, place, turns); err != nil {
			return err
		}
	}
	if g.depth++; g.depth > deepest {
		return nil
	}
	defer func() { g.depth-- }()
	for child, err := range g.Store.Runs(ctx, history.Filter{Parent: run.ID}) {
		if err != nil {
			return err
		}
		if child.Parent.Ref != run.Ref || child.Status == history.Continued {
			continue
		}
		if err := g.add(ctx, child, place+child.Parent.Op); err != nil {
			return err
		}
	}
	return nil
}

func (g *grown) turn(run history.Ref, t *history.Turn) {
	g.watch.Turn(run, *t)
	for i := range t.Decisions {
		if d := &t.Decisions[i]; d.Kind == history.ActivityScheduled {
			g.watch.Attempt(progress.Attempt{Run: run.ID, Op: d.Op, At: t.Time})
		}
	}
}

// outside adds what is known of the attempts of open activities.
func (g *grown) outside(ctx context.Context, run *history.Run, place string, turns []history.Turn) error {
	if run.Status != history.Open {
		return nil
	}
	attempts, err := g.Store.Attempts(ctx, run.Ref)
	if err != nil {
		return err
	}
	for _, a := range attempts {
		at := progress.Attempt{Run: run.ID, Op: a.Op, Number: a.Failures + 1, At: g.now()}
		if a.Failure != nil && pausing(&a) {
			at.Number, at.Failure, at.Again = a.Failures, a.Failure, a.Next
		}
		g.watch.Attempt(at)
	}
	if g.live[run.Owner] != nil {
		return nil
	}
	g.watch.Edit(func(b *progress.Board) {
		for i := range turns {
			for _, d := range turns[i].Decisions {
				if s := b.Find(place + d.Op); d.Kind == history.ActivityScheduled && s != nil && s.State == progress.Running {
					s.State = progress.Waiting // nobody performs it
				}
			}
		}
	})
	return nil
}

// stepwise is up to how many turns the tree is looked at after each, so that branches that are over have their names too.
const stepwise = 2000
