package operate

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/workflow"
)

// inside adds what only the script knows: the branches, by a replay. Without one the tree is that of the history.
func (g *grown) inside(ctx context.Context, run *history.Run, place string, turns []history.Turn) error {
	program, err := g.program(ctx, run)
	if err != nil {
		g.remark("the tree is that of the history alone: %v", err)
		return nil
	}
	seen := map[string]*sight{}
	r, err := replay(ctx, *run, program, workflow.Turns(turns), func(r *rebuilt, t *history.Turn) bool {
		if len(turns) <= stepwise || t.Seq == int64(len(turns)) {
			notice(seen, r.Dump(), t.Time)
		}
		return true
	})
	defer r.close()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		g.remark("the tree is that of the history alone: %v", err)
		return nil
	}
	g.watch.Edit(func(b *progress.Board) { overlay(b, seen, place, r.last) })
	return nil
}

// sight is a branch that was seen.
type sight struct {
	scheduler.Node
	began, last time.Time
}

func notice(seen map[string]*sight, nodes []scheduler.Node, at time.Time) {
	for _, n := range nodes {
		children := n.Children
		n.Children = nil
		if s := seen[n.Path]; s != nil {
			s.Node, s.last = n, at
		} else {
			seen[n.Path] = &sight{n, at, at}
		}
		notice(seen, children, at)
	}
}

// overlay names the branches and scopes, and says what those that are open wait for.
func overlay(b *progress.Board, seen map[string]*sight, place string, last time.Time) {
	for _, path := range slices.Sorted(maps.Keys(seen)) { // parents before their children
		n := seen[path]
		if path == "" || n.Kind == "branch" && strings.HasSuffix(path, "t") {
			continue
		}
		open := n.last.Equal(last)
		step := b.Find(place + path)
		switch {
		case n.Kind != "branch" && n.Kind != "scope":
			if open && n.Waiting != "" && step == nil { // not begun
				step = b.Step(place + path)
				step.Kind, step.Name, step.Note = n.Kind, n.Name, "waits "+progress.WaitText(n.Waiting)
			}
			continue
		case step == nil:
			step = b.Step(place + path)
			step.Kind = n.Kind
			step.Begin(progress.Running, n.began)
			if !open {
				step.End(progress.Ended, n.last)
			}
		}
		step.Name = n.Name
		if open && n.State == "waiting" && n.Kind == "branch" && step.Kind == "branch" && strings.HasPrefix(n.Waiting, "on argument") {
			step.State = progress.Waiting
		}
		if open && n.Waiting != "" && !begun(n.For) {
			step.Note = "waits " + progress.WaitText(n.Waiting)
		}
	}
}

// begun reports whether what is waited for is in the tree, where it is drawn.
func begun(paths []string) bool { return len(paths) > 0 }
