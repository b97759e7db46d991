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
	s, err := c.surroundings(ctx)
	if err != nil {
		return err
	}
	if c.Format == JSONL {
		return c.listLines(ctx, filter, o.Limit, s)
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
	list := make([]Summary, len(runs))
	for i := range runs {
		if list[i], err = s.summary(ctx, &runs[i]); err != nil {
			return err
		}
	}
	if c.Format == JSON {
		return c.document(list)
	}
	return c.listText(runs, list, o, more)
}

// surroundings are what a list tells of runs that is not of the runs themselves.
type surroundings struct {
	post
	live map[int64]*Driver
}

func (c *Console) surroundings(ctx context.Context) (*surroundings, error) {
	s := &surroundings{post: post{Console: c}}
	var err error
	if s.live, err = c.drivers(ctx); err != nil {
		return nil, err
	}
	owners, err := c.Store.Owners(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range append(owners, history.Owner{}) { // before the runs are read, one by one
		if err := s.fetch(ctx, o.Number); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *surroundings) summary(ctx context.Context, run *history.Run) (Summary, error) {
	mail, err := s.of(ctx, run)
	sum := s.Console.summary(run, s.live[run.Owner])
	sum.Unread = len(mail)
	return sum, err
}

// listLines writes as it reads: there may be very many.
func (c *Console) listLines(ctx context.Context, filter history.Filter, limit int, s *surroundings) error {
	n := 0
	for run, err := range c.Store.Runs(ctx, filter) {
		if err != nil {
			return err
		}
		if n++; limit > 0 && n > limit {
			break
		}
		sum, err := s.summary(ctx, &run)
		if err != nil {
			return err
		}
		if err := c.document(sum); err != nil {
			return err
		}
	}
	return nil
}

func (c *Console) listText(runs []history.Run, list []Summary, o ListOptions, more bool) error {
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
		rows = append(rows, []string{named(run), run.Workflow, status(run), ago(c.now(), run.Created), took, c.cut(detail(run, &list[i]))})
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
func detail(run *history.Run, s *Summary) string {
	state := ""
	if list := values(run.State); len(list) > 0 {
		state = strings.Join(strings.Fields(valueText(list[0])), " ")
	}
	switch {
	case run.Halted != "":
		return clean(Flagged(run.Halted))
	case run.Status == history.Open && s.Driver == nil:
		mark := "nobody drives it"
		if s.Unread > 0 {
			mark += "; " + waiting(s.Unread)
		}
		if state == "" {
			return mark
		}
		return state + " (" + mark + ")"
	case run.Status == history.Failed, run.Status == history.Cancelled:
		return failureLine(run.Failure)
	case run.Status == history.Completed && len(run.Result) > 2:
		return line(run.Result)
	}
	return state
}
