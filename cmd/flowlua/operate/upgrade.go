package operate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// UpgradeOptions say how to move runs to another script.
type UpgradeOptions struct {
	Program *workflow.Program
	Shown   string // how the script is named
	DryRun  bool   // only find out whether it fits
}

// Upgraded is what became of one run, as JSON.
type Upgraded struct {
	ID         string      `json:"id"`
	Number     int         `json:"number"`
	Fits       bool        `json:"fits"`  // a replay proves that the script decides what the history says
	Moved      bool        `json:"moved"` // false in a dry run, and if it was on the script before
	Turns      int64       `json:"turns"` // that the run has made
	From       string      `json:"from"`  // hash of the script before
	To         string      `json:"to"`
	Difference *Difference `json:"difference,omitempty"`
	Problem    string      `json:"problem,omitempty"`

	driver *Driver
}

// Upgrade moves an open run to another script, if that fits.
func (c *Console) Upgrade(ctx context.Context, id string, o UpgradeOptions) error {
	run, err := c.Find(ctx, id)
	if err != nil {
		return err
	}
	if run.Status != history.Open {
		return c.ended(&run)
	}
	u, err := c.upgrade(ctx, run, o)
	if err != nil {
		return err
	}
	if c.Format == JSON || c.Format == JSONL {
		err = c.document(u)
	} else {
		err = c.say("%s", progress.Visible(c.upgradeText(u, o)))
	}
	return errors.Join(err, u.end())
}

// UpgradeAll does that with every open run of a workflow.
func (c *Console) UpgradeAll(ctx context.Context, workflow string, o UpgradeOptions) error {
	if workflow == "" {
		return misuse("--all: expected --workflow NAME, whose open runs are moved")
	}
	list := []*Upgraded{}
	for run, err := range c.Store.Runs(ctx, history.Filter{Status: history.Open, Workflow: workflow}) {
		if err != nil {
			return err
		}
		u, err := c.upgrade(ctx, run, o)
		if err != nil {
			return err
		}
		list = append(list, u)
		switch {
		case c.Format == JSONL:
			err = c.document(u)
		case c.Format != JSON:
			err = c.say("%s", progress.Visible(c.upgradeText(u, o)))
		}
		if err != nil {
			return err
		}
	}
	fit, end := 0, error(nil)
	for _, u := range list {
		if u.Fits {
			fit++
		} else {
			end = u.end()
		}
	}
	switch {
	case c.Format == JSON:
		return errors.Join(c.document(list), end)
	case c.Format == JSONL:
		return end
	case len(list) == 0:
		c.remark("no run of workflow %s is open", workflow)
		return nil
	}
	return errors.Join(c.say("%s fits %d of %s", o.Shown, fit, count(len(list), "open run")), end)
}

// patient is how often a run is replayed that goes on in the meantime.
const patient = 5

// upgrade proves that the script fits a run, and moves it.
func (c *Console) upgrade(ctx context.Context, run history.Run, o UpgradeOptions) (*Upgraded, error) {
	for again := 0; ; again++ {
		u, err := c.fits(ctx, run, o)
		if err != nil || !u.Fits || o.DryRun || u.From == u.To {
			return u, err
		}
		err = c.Store.Revise(ctx, run.Ref, u.Turns, o.Program.Sources())
		if err == nil {
			u.Moved = true
			if u.driver != nil {
				u.driver, err = c.claimed(ctx, run.Ref)
			}
			return u, err
		}
		now, gone := c.Store.Run(ctx, run.Ref)
		switch {
		case gone == nil && now.Status != history.Open:
			u.Fits, u.Problem = false, "it has ended in the meantime"
			return u, nil
		case !errors.Is(err, history.ErrConflict):
			return u, fmt.Errorf("run %s cannot be moved: %w", named(&run), err)
		case again == patient:
			return u, fmt.Errorf("run %s makes turns faster than they are replayed: try again when it waits", named(&run))
		}
		run = now
	}
}

// handover is how long an engine that lives is given to take up a run that was moved.
const handover = 2 * time.Second

// claimed is who takes up a run that was moved, nil if nobody does soon.
func (c *Console) claimed(ctx context.Context, ref history.Ref) (*Driver, error) {
	changed, stop := c.changes()
	defer stop()
	late := time.NewTimer(handover)
	defer late.Stop()
	for {
		run, err := c.Store.Run(ctx, ref)
		if err != nil {
			return nil, err
		}
		if driver, err := c.driver(ctx, &run); driver != nil || err != nil {
			return driver, err
		}
		select {
		case <-changed:
		case <-late.C:
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// fits replays a run on the script.
func (c *Console) fits(ctx context.Context, run history.Run, o UpgradeOptions) (*Upgraded, error) {
	u := &Upgraded{ID: run.ID, Number: run.Number, From: run.Program, To: o.Program.Hash()}
	var err error
	if u.driver, err = c.driver(ctx, &run); err != nil {
		return nil, err
	}
	r, err := replay(ctx, run, o.Program, c.Store.Turns(ctx, run.Ref, 0), nil)
	r.close()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if r != nil {
		u.Turns = r.log.Turns
	}
	var found *workflow.NonDeterminismError
	switch {
	case err == nil:
		u.Fits = true
	case errors.As(err, &found):
		u.Difference = &Difference{found.Turn, found.Op, found.Logged, found.Asked, found.Where}
	default:
		u.Problem = err.Error()
	}
	return u, nil
}

func (u *Upgraded) end() error {
	if u.Fits {
		return nil
	}
	return NotIdentical
}

func (c *Console) upgradeText(u *Upgraded, o UpgradeOptions) string {
	id := name(history.Ref{ID: u.ID, Number: u.Number})
	switch {
	case u.Difference != nil:
		return fmt.Sprintf("%s: %s does not fit, and the run stays as it is\n%s", id, o.Shown, differenceText(u.Difference))
	case u.Problem != "":
		return fmt.Sprintf("%s: %s does not fit: %s", id, o.Shown, u.Problem)
	case u.From == u.To:
		return fmt.Sprintf("%s: is on %s already", id, o.Shown)
	case !u.Moved:
		return fmt.Sprintf("%s: %s fits (%s)", id, o.Shown, count(int(u.Turns), "turn"))
	case u.driver != nil:
		return fmt.Sprintf("%s: moved to %s; %s goes on with it", id, o.Shown, u.driver.Name)
	}
	return fmt.Sprintf("%s: moved to %s; nobody drives it: %s", id, o.Shown, c.Command("resume", u.ID))
}
