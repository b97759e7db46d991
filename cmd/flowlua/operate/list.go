package operate

import (
	"context"
	"slices"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
)

// halted is the status of an open run that an engine error has stopped.
const halted = "halted"

// Statuses are those that a run can have.
func Statuses() []string {
	return []string{string(history.Open), halted, string(history.Completed), string(history.Failed), string(history.Cancelled), string(history.Continued)}
}

// ListOptions say which runs to list.
type ListOptions struct {
	Status, Workflow string
	Since            string // how long ago, or a date
	Limit            int    // 0: all
}

// List lists runs, newest first.
func (c *Console) List(ctx context.Context, o ListOptions) error {
	statuses := Statuses()
	filter := history.Filter{Status: history.Status(o.Status), Workflow: o.Workflow}
	if o.Status != "" && !slices.Contains(statuses, o.Status) {
		return misuse("--status '%s': expected %s%s", o.Status, strings.Join(statuses, ", "), stdlib.Suggest(o.Status, statuses))
	}
	if o.Status == halted {
		filter.Status, filter.Halted = history.Open, true
	}
	if o.Since != "" {
		since, err := ParseSince(o.Since, c.now())
		if err != nil {
			return err
		}
		filter.Since = since
	}
	if o.Limit < 0 {
		return misuse("--limit %d: expected the number of runs, or 0 for all", o.Limit)
	}
	if o.Limit > 0 {
		filter.Limit = o.Limit + 1 // to know whether there are more
	}
	live, err := c.drivers(ctx)
	if err != nil {
		return err
	}
	if c.Format == JSONL {
		return c.listLines(ctx, filter, o.Limit, live)
	}
	runs := []history.Run{}
	more := false
	for run, err := range c.Store.Runs(ctx, filter) {
		if err != nil {
			return err
		}
		if more = o.Limit > 0 && len(runs) == o.Limit; more {
			break
		}
		runs = append(runs, run)
	}
	if c.Format == JSON {
		list := make([]Summary, len(runs))
		for i := range runs {
			list[i] = c.summary(&runs[i], live[runs[i].Owner])
		}
		return c.document(list)
	}
	return c.listText(runs, live, o, more)
}

// listLines writes as it reads: there may be very many.
func (c *Console) listLines(ctx context.Context, filter history.Filter, limit int, live map[int64]*Driver) error {
	n := 0
	for run, err := range c.Store.Runs(ctx, filter) {
		if err != nil {
			return err
		}
		if n++; limit > 0 && n > limit {
			break
		}
		if err := c.document(c.summary(&run, live[run.Owner])); err != nil {
			return err
		}
	}
	return nil
}

func (c *Console) listText(runs []history.Run, live map[int64]*Driver, o ListOptions, more bool) error {
	if len(runs) == 0 {
		if o == (ListOptions{Limit: o.Limit}) {
			c.remark("there are no runs yet: flowlua run FILE makes one")
		} else {
			c.remark("no run is like that")
		}
		return nil
	}
	rows := [][]string{{"ID", "WORKFLOW", "STATUS", "STARTED", "TOOK", "DETAIL"}}
	for i := range runs {
		run := &runs[i]
		took := ""
		if run.Status != history.Open {
			took = progress.Duration(c.took(run))
		}
		rows = append(rows, []string{named(run), run.Workflow, status(run), ago(c.now(), run.Created), took, c.cut(detail(run, live[run.Owner]))})
	}
	color := func(row, column int) string {
		switch {
		case row == 0:
			return faint
		case column == 2:
			return c.statusColor(&runs[row-1])
		}
		return ""
	}
	if err := c.painted("", rows, color); err != nil {
		return err
	}
	if more {
		c.remark("only the newest %d: --limit 0 shows all", o.Limit)
	}
	return nil
}

// cut keeps the lines of a list short where there is no terminal to be as wide as; the whole is in show, and in JSON.
func (c *Console) cut(text string) string {
	const room = 120
	if c.Width > 0 {
		return text
	}
	return progress.Fit(text, room)
}

// detail is what matters most of a run.
func detail(run *history.Run, driver *Driver) string {
	state := ""
	if list := values(run.State); len(list) > 0 {
		state = strings.Join(strings.Fields(valueText(list[0])), " ")
	}
	switch {
	case run.Halted != "":
		return clean(Flagged(run.Halted))
	case run.Status == history.Open && driver == nil && state != "":
		return state + " (nobody drives it)"
	case run.Status == history.Open && driver == nil:
		return "nobody drives it"
	case run.Status == history.Failed, run.Status == history.Cancelled:
		return failureLine(run.Failure)
	case run.Status == history.Completed && len(run.Result) > 2:
		return line(run.Result)
	}
	return state
}
