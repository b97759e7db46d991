package operate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
)

// Last is the ID that stands for the newest run that nobody's child is.
const Last = "@last"

// Find finds a run by its ID, by the beginning of it if that is unique, as @last, or with its number as ID#2.
func (c *Console) Find(ctx context.Context, id string) (history.Run, error) {
	if id == "" {
		return history.Run{}, misuse("expected the ID of a run, its beginning or %s, got an empty text", Last)
	}
	if id == Last {
		return c.last(ctx)
	}
	run, err := c.Store.Run(ctx, history.Ref{ID: id})
	if !errors.Is(err, history.ErrNotFound) {
		return run, err
	}
	if name, number, ok := numbered(id); ok {
		first, err := c.Find(ctx, name)
		if err != nil {
			return first, err
		}
		run, err := c.Store.Run(ctx, history.Ref{ID: first.ID, Number: number})
		if errors.Is(err, history.ErrNotFound) {
			return run, fmt.Errorf("run %s has no number %d: expected 1 to %d", first.ID, number, first.Number)
		}
		return run, err
	}
	return c.begins(ctx, id)
}

// numbered takes ID#2 apart.
func numbered(id string) (name string, number int, ok bool) {
	i := strings.LastIndexByte(id, '#')
	if i < 1 {
		return "", 0, false
	}
	number, err := strconv.Atoi(id[i+1:])
	return id[:i], number, err == nil && number > 0
}

func (c *Console) last(ctx context.Context) (history.Run, error) {
	for run, err := range c.Store.Runs(ctx, history.Filter{}) {
		if err != nil || run.Parent == nil {
			return run, err
		}
	}
	return history.Run{}, errors.New("there are no runs yet: flowlua run FILE makes one")
}

// most is how many runs are looked at for one that may have been meant.
const most = 1000

// enough is how many runs are found before it is clear that an ID is the beginning of too many.
const enough = 10

// begins finds the one run whose ID begins so. Children, whose IDs begin with those of their parents, do not count beside them.
func (c *Console) begins(ctx context.Context, prefix string) (history.Run, error) {
	var found []history.Run
	for run, err := range c.Store.Runs(ctx, history.Filter{Prefix: prefix}) {
		if err != nil {
			return run, err
		}
		if len(found) == enough {
			break
		}
		if run.Parent != nil && strings.HasPrefix(run.Parent.ID, prefix) && strings.HasPrefix(run.ID, run.Parent.ID) ||
			slices.ContainsFunc(found, func(r history.Run) bool { return r.ID == run.ID }) {
			continue
		}
		found = append(found, run)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return history.Run{}, misuse("%s is the beginning of several IDs: %s", prefix, some(found))
	}
	var ids []string
	for run, err := range c.Store.Runs(ctx, history.Filter{Limit: most}) {
		if err != nil {
			return run, err
		}
		ids = append(ids, run.ID)
	}
	return history.Run{}, fmt.Errorf("there is no run %s%s: %s shows those that there are", prefix, stdlib.Suggest(prefix, ids), c.Command("list"))
}

// some names the first few runs.
func some(runs []history.Run) string {
	const few = 5
	var ids []string
	for i := range runs {
		if i == few {
			ids = append(ids, fmt.Sprintf("and %d more", len(runs)-few))
			break
		}
		ids = append(ids, runs[i].ID)
	}
	return strings.Join(ids, ", ")
}

// name is how a run is named in an answer: with its number if there is more than one of its ID.
func name(ref history.Ref) string {
	if ref.Number > 1 {
		return fmt.Sprintf("%s#%d", ref.ID, ref.Number)
	}
	return ref.ID
}

// named is name of a run that is known: one that was continued has its number, too.
func named(run *history.Run) string {
	if run.Status == history.Continued {
		return fmt.Sprintf("%s#%d", run.ID, run.Number)
	}
	return name(run.Ref)
}

// Complete gives the IDs that begin so, each followed by a tab and what it is, for the completion of a shell.
func (c *Console) Complete(ctx context.Context, prefix string, open bool) []string {
	filter := history.Filter{Prefix: prefix, Limit: 100}
	if open {
		filter.Status = history.Open
	}
	var ids []string
	seen := map[string]bool{}
	for run, err := range c.Store.Runs(ctx, filter) {
		if err != nil {
			break
		}
		if !seen[run.ID] {
			seen[run.ID] = true
			ids = append(ids, fmt.Sprintf("%s\t%s, %s, %s", run.ID, run.Workflow, run.Status, ago(c.now(), run.Created)))
		}
	}
	if strings.HasPrefix(Last, prefix) && len(ids) > 0 {
		ids = append(ids, Last+"\tthe newest run")
	}
	return ids
}
