package operate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
)

// Stack tells of each branch that waits where it stands in the script, how it came to be there, and what it waits for. Of a run
// that has failed it is the stack of the error.
func (c *Console) Stack(ctx context.Context, id string) error {
	run, err := c.Find(ctx, id)
	if err != nil {
		return err
	}
	list := []Waiting{}
	var pending []Pending
	if run.Status == history.Open {
		r, err := c.rebuild(ctx, run)
		defer r.close()
		if err != nil {
			return c.notRebuilt(&run, err)
		}
		list = r.waits()
		if pending, err = c.pending(ctx, &run, &r.log); err != nil {
			return err
		}
	}
	if c.Format != Text && c.Format != "" {
		return c.document(list)
	}
	if run.Status != history.Open {
		if run.Failure != nil {
			return c.say("%s", progress.Visible(failureText(run.Failure)))
		}
		return c.say("nothing waits: run %s is %s", named(&run), run.Status)
	}
	return c.stacks(list, pending)
}

// notRebuilt is the error of a run that cannot be looked into.
func (c *Console) notRebuilt(run *history.Run, err error) error {
	return fmt.Errorf("run %s cannot be rebuilt from its history: %w\n%s shows the history", named(run), err, c.Command("show", named(run), "--events"))
}

// stacks writes first what waits for the outside, in full, then what waits for that.
func (c *Console) stacks(list []Waiting, pending []Pending) error {
	byOp := map[string]*Pending{}
	for i := range pending {
		byOp[pending[i].Op] = &pending[i]
	}
	said, rest, awaited := false, [][]string{}, map[string]bool{}
	for i := range list {
		w := &list[i]
		title := strings.TrimSpace(place(w.Branch) + " " + w.Name)
		if w.within || w.Kind != "branch" {
			rest = append(rest, []string{title, "waits " + w.Waits, at(w.Stack)})
			continue
		}
		if said {
			if err := c.say(""); err != nil {
				return err
			}
		}
		said = true
		if err := c.say("%s  waits %s", c.paint("1", progress.Visible(title)), c.fit(clean(w.Waits), len(title)+8)); err != nil {
			return err
		}
		for _, op := range w.For {
			awaited[op] = true
			if p := byOp[op]; p != nil {
				if err := c.table("  ", p.rows(c.now())); err != nil {
					return err
				}
			}
		}
		if err := c.frames(w.Stack); err != nil {
			return err
		}
	}
	var alone [][]string
	for i := range pending {
		if p := &pending[i]; !awaited[p.Op] {
			alone = append(alone, p.rows(c.now())...)
		}
	}
	if len(list) == 0 && len(alone) == 0 {
		return c.say("nothing waits: the run is to make its next turn")
	}
	for _, part := range []struct {
		title string
		rows  [][]string
	}{{"also under way", alone}, {"waiting within the run", rest}} {
		if len(part.rows) == 0 {
			continue
		}
		if said {
			if err := c.say(""); err != nil {
				return err
			}
		}
		said = true
		if err := errors.Join(c.say("%s", c.paint(faint, part.title)), c.table("  ", part.rows)); err != nil {
			return err
		}
	}
	return nil
}

// frames writes a stack with the lines of the script beside it.
func (c *Console) frames(stack []Frame) error {
	places, wide := make([]string, len(stack)), 0
	for i, f := range stack {
		if places[i] = f.Function; f.Source != "" {
			places[i] = fmt.Sprintf("at %s:%d", f.Source, f.Line)
			wide = max(wide, progress.Cells(places[i]))
		}
	}
	for i, f := range stack {
		text := progress.Visible(places[i])
		if f.Code != "" {
			text += strings.Repeat(" ", wide-progress.Cells(places[i])+4) + c.paint(faint, c.fit(clean(f.Code), wide+6))
		}
		if err := c.say("  %s", text); err != nil {
			return err
		}
	}
	return nil
}
