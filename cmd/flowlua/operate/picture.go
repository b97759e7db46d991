package operate

import (
	"context"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
)

// Picture is all that is known of a run, to be drawn.
type Picture struct {
	Shown
	Tree Branch    // with those of its children
	At   time.Time // until when: now, if the run is open
}

// Picture gathers it. The history is that of the run without its children.
func (c *Console) Picture(ctx context.Context, id string) (*Picture, error) {
	run, err := c.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	shown, err := c.shown(ctx, run)
	if err != nil {
		return nil, err
	}
	p := &Picture{Shown: *shown, At: run.Closed}
	if run.Status == history.Open {
		p.At = c.now()
	}
	if err := c.events(ctx, run, 0, &p.History); err != nil {
		return nil, err
	}
	g := grown{Console: c}
	if g.live, err = c.drivers(ctx); err != nil {
		return nil, err
	}
	if err := g.add(ctx, run, ""); err != nil {
		return nil, err
	}
	g.watch.Edit(func(b *progress.Board) {
		b.Sort()
		if root := b.Root(); root != nil {
			p.Tree = branch(root, p.At)
		}
	})
	return p, nil
}
