package operate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
)

// Delete removes runs that have ended, with those that they continue and with their children: an ID without a number means all
// its runs. If one of all is open or not there, none is deleted. confirm is asked before, unless it is nil.
func (c *Console) Delete(ctx context.Context, ids []string, confirm func(question string) bool) error {
	d := doom{Console: c, known: map[history.Ref]bool{}}
	var names, extras []string
	for _, id := range ids { // all are looked at before one is deleted
		name, extra, err := d.named(ctx, id)
		if err != nil {
			return err
		}
		if name != "" {
			names, extras = append(names, name), append(extras, extra)
		}
	}
	if confirm != nil {
		question := "delete"
		for i := range names {
			question += " " + names[i] + extras[i]
		}
		if !confirm(progress.Visible(question) + "?") {
			return errors.New("nothing is deleted")
		}
	}
	for _, ref := range d.refs {
		if err := c.Store.Delete(ctx, ref); err != nil && !errors.Is(err, history.ErrNotFound) { // somebody was faster
			return fmt.Errorf("run %s cannot be deleted: %w", name(ref), err)
		}
	}
	if c.Format == JSON || c.Format == JSONL {
		return c.document(d.refs)
	}
	for i := range names {
		if err := c.say("%s", progress.Visible(names[i]+" is deleted"+extras[i])); err != nil {
			return err
		}
	}
	return nil
}

// doom are the runs that are to be deleted.
type doom struct {
	*Console
	refs  []history.Ref
	known map[history.Ref]bool
}

// named adds what an ID stands for, and says what goes with it; "" if all is known.
func (d *doom) named(ctx context.Context, id string) (title, extra string, err error) {
	run, err := d.Find(ctx, id)
	if err != nil {
		return "", "", err
	}
	before := len(d.refs)
	if err := d.add(&run, ""); err != nil {
		return "", "", err
	}
	if run.Number > 1 {
		for other, err := range d.Store.Runs(ctx, history.Filter{Prefix: run.ID}) {
			if err != nil {
				return "", "", err
			}
			if other.ID == run.ID && other.Number < run.Number {
				if err := d.add(&other, ""); err != nil {
					return "", "", err
				}
			}
		}
	}
	own := len(d.refs)
	for i := before; i < len(d.refs); i++ {
		if i == before || d.refs[i].ID != d.refs[i-1].ID {
			if err := d.children(ctx, d.refs[i].ID); err != nil {
				return "", "", err
			}
		}
	}
	if len(d.refs) == before {
		return "", "", nil
	}
	return named(&run), with(own-before-1, len(d.refs)-own), nil
}

// children adds the children of the runs of an ID that are to be deleted.
func (d *doom) children(ctx context.Context, id string) error {
	for child, err := range d.Store.Runs(ctx, history.Filter{Parent: id}) {
		if err != nil {
			return err
		}
		if d.known[child.Parent.Ref] {
			if err := d.add(&child, child.Parent.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds one run, which parent has started if that is not "".
func (d *doom) add(run *history.Run, parent string) error {
	if d.known[run.Ref] {
		return nil
	}
	if run.Status == history.Open {
		of := ""
		if parent != "" {
			of = ", which " + parent + " has started,"
		}
		return fmt.Errorf("run %s%s is open, and only runs that have ended are deleted: %s lets it clean up first, %s ends it at once",
			named(run), of, d.Command("cancel", run.ID), d.Command("terminate", run.ID))
	}
	d.known[run.Ref] = true
	d.refs = append(d.refs, run.Ref)
	return nil
}

// with says what goes with a run.
func with(continued, children int) string {
	var parts []string
	if continued > 0 {
		parts = append(parts, count(continued, "run")+" that it continues")
	}
	switch {
	case children == 1:
		parts = append(parts, "1 child")
	case children > 1:
		parts = append(parts, fmt.Sprintf("%d children", children))
	}
	if len(parts) == 0 {
		return ""
	}
	return ", with " + strings.Join(parts, " and ")
}
