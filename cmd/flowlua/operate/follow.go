package operate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/flowlua/flowlua/history"
)

// Ended is the error of having followed a run that did not complete.
type Ended struct{ Run history.Run }

func (e *Ended) Error() string {
	return "run " + named(&e.Run) + " " + string(e.Run.Status) + ": " + failureText(e.Run.Failure)
}

// Left is the error of having stopped following a run that goes on.
type Left struct{ text string }

func (l *Left) Error() string { return l.text }

// Onward says how a run goes on that is not watched any more, and the command for what may be wanted of it.
func (c *Console) Onward(ctx context.Context, run history.Run) (string, error) {
	driver, err := c.driver(ctx, &run)
	switch {
	case err != nil:
		return "", err
	case run.Status != history.Open:
		return fmt.Sprintf("run %s has ended (%s): %s shows it", named(&run), run.Status, c.Command("show", named(&run))), nil
	case driver == nil:
		return fmt.Sprintf("run %s stays open, and nobody drives it: %s", run.ID, c.Command("resume", run.ID)), nil
	}
	return fmt.Sprintf("run %s goes on, driven by %s: %s cancels it", run.ID, driver.Name, c.Command("cancel", run.ID)), nil
}

// glance is after how long the store is looked at even if it has not told of a change.
const glance = time.Second

// follow writes the events of a run, and of those that continue it, as they come, until ctx ends.
func (c *Console) follow(ctx context.Context, run history.Run, o ShowOptions) error {
	f := following{Console: c, run: run, all: o.Events}
	err := f.follow(ctx)
	if ctx.Err() == nil {
		return err
	}
	text, err := c.Onward(context.WithoutCancel(ctx), f.run)
	if err != nil {
		return err
	}
	return &Left{text}
}

// changes has something in it when the store has changed since it was last read, until stop is called.
func (c *Console) changes() (changed <-chan struct{}, stop func()) {
	changes := make(chan struct{}, 1)
	return changes, c.Store.Watch(func() {
		select {
		case changes <- struct{}{}:
		default:
		}
	})
}

func (f *following) follow(ctx context.Context) error {
	changed, stop := f.changes()
	defer stop()
	clock := time.NewTicker(glance)
	defer clock.Stop()

	var n counter
	if err := f.begin(ctx, &n); err != nil {
		return err
	}
	for {
		over, err := f.look(ctx, &n)
		switch {
		case err != nil:
			return err
		case over && f.run.Status == history.Completed:
			return nil
		case over:
			return &Ended{f.run}
		}
		select {
		case <-changed:
		case <-clock.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// following is a run that is followed.
type following struct {
	*Console
	run  history.Run
	all  bool // the events there were before, too
	seen int64
}

// begin says what the run is, and passes over what has been.
func (f *following) begin(ctx context.Context, n *counter) error {
	if f.Format == JSONL || f.all {
		return nil
	}
	shown, err := f.shown(ctx, f.run)
	if err != nil {
		return err
	}
	if err := f.showText(shown, &f.run); err != nil {
		return err
	}
	if f.run.Status == history.Open || f.run.Status == history.Continued {
		if err := f.say(""); err != nil {
			return err
		}
	}
	for t, err := range f.Store.Turns(ctx, f.run.Ref, 0) {
		if err != nil {
			return err
		}
		if t.Seq > shown.Turns {
			break
		}
		n.turn(&t)
		f.seen = t.Seq
	}
	return nil
}

// look writes what is new, and reports whether the run and those that continue it are over.
func (f *following) look(ctx context.Context, n *counter) (over bool, err error) {
	for {
		run, err := f.Store.Run(ctx, f.run.Ref) // before its turns, so that none is missed once it is closed
		if err != nil {
			return false, err
		}
		f.run = run
		if err := f.more(ctx, n); err != nil {
			return false, err
		}
		if run.Halted != "" {
			return false, errors.New("run " + named(&run) + " was stopped by an engine error: " + Flagged(run.Halted) + "\n" + f.tryAgain(&run))
		}
		if run.Status != history.Continued {
			return run.Status != history.Open, nil
		}
		next, err := f.Store.Run(ctx, history.Ref{ID: run.ID, Number: run.Number + 1})
		if errors.Is(err, history.ErrNotFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		f.run, f.seen, *n = next, 0, counter{}
		if f.Format != JSONL {
			if err := f.say("%s", f.paint(faint, "continued by "+name(next.Ref))); err != nil {
				return false, err
			}
		}
	}
}

func (f *following) more(ctx context.Context, n *counter) error {
	for t, err := range f.Store.Turns(ctx, f.run.Ref, f.seen) {
		if err != nil {
			return err
		}
		for _, ev := range n.turn(&t) {
			if err := f.event(&ev, n.start); err != nil {
				return err
			}
		}
		f.seen = t.Seq
	}
	return nil
}
