package operate

import (
	"fmt"
	"strings"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
)

func (c *Console) showText(s *Shown, run *history.Run) error {
	rows := [][]string{
		{"run", named(run)},
		{"workflow", strings.TrimSpace(s.Workflow + "  " + of(s.Script))},
		{"status", c.statusText(run)},
		{"started", c.moment(run.Created)},
	}
	add := func(label, text string) {
		if text != "" {
			rows = append(rows, []string{label, progress.Visible(text)})
		}
	}
	if p := run.Parent; p != nil {
		add("parent", name(p.Ref)+" "+p.Op)
	}
	add("input", line(run.Input))
	if len(s.State) > 0 {
		add("state", valueText(s.State))
	}
	if run.Status == history.Open {
		add("driven by", c.drivenBy(s))
		if s.Wake.After(c.now()) {
			add("wakes", c.moment(s.Wake))
		}
	}
	if s.Problem != "" {
		add("problem", s.Problem+": "+c.Command("db", "check")+" looks for more")
	}
	add("history", fmt.Sprintf("%s in %s", count(s.Events, "event"), count(int(s.Turns), "turn")))
	if err := c.fields(rows); err != nil {
		return err
	}
	if err := c.ending(run); err != nil {
		return err
	}
	if err := c.unread(s.Mail); err != nil {
		return err
	}
	return c.open(s)
}

// fields writes labels and what belongs to them, which may have several lines.
func (c *Console) fields(rows [][]string) error {
	const room = 11
	for _, row := range rows {
		label := row[0]
		for text := range strings.SplitSeq(row[1], "\n") {
			if err := c.say("%s%s", c.paint(faint, fmt.Sprintf("%-*s", room, label)), c.fit(text, room)); err != nil {
				return err
			}
			label = ""
		}
	}
	return nil
}

func (c *Console) statusText(run *history.Run) string {
	text := c.paint(c.statusColor(run), status(run))
	switch {
	case run.Halted != "":
		return text + ", open for " + about(c.took(run))
	case run.Status == history.Open:
		return text + " for " + about(c.took(run))
	case run.Status == history.Continued:
		return text + " by " + name(history.Ref{ID: run.ID, Number: run.Number + 1}) + " after " + progress.Duration(c.took(run))
	}
	return text + " after " + progress.Duration(c.took(run)) + ", " + ago(c.now(), run.Closed)
}

func (c *Console) drivenBy(s *Shown) string {
	switch {
	case s.Driver != nil:
		return s.Driver.Name
	case s.Halted != "":
		return "nobody"
	}
	return "nobody: " + c.Command("resume", s.ID)
}

// moment is a point in time, relative and absolute.
func (c *Console) moment(at time.Time) string {
	return ago(c.now(), at) + ", " + at.In(c.now().Location()).Format("2006-01-02 15:04:05")
}

// ending says how a run ended, or what has stopped it.
func (c *Console) ending(run *history.Run) error {
	var text string
	switch {
	case run.Halted != "":
		text = "stopped by an engine error: " + Flagged(run.Halted) + "\n" + c.tryAgain(run)
	case run.Status == history.Failed, run.Status == history.Cancelled:
		text = failureText(run.Failure)
	case run.Status == history.Completed:
		var parts []string
		for _, v := range values(run.Result) {
			parts = append(parts, valueText(v))
		}
		text = strings.Join(parts, "\n")
	}
	if text == "" {
		return nil
	}
	return c.say("\n%s", progress.Visible(text))
}

// Again is the command that tries a run again which an engine error has stopped, with more of what it has used up.
func (c *Console) Again(run *history.Run) string {
	return c.Command(append([]string{"resume", run.ID}, raised(run.Halted)...)...)
}

// tryAgain is what can be done about a run that an engine error has stopped.
func (c *Console) tryAgain(run *history.Run) string {
	if raised(run.Halted) != nil {
		return c.Again(run) + " tries again"
	}
	return c.Command("resume", run.ID) + " tries again; " + c.Command("upgrade", run.ID, "FILE") + " moves it to a script that fits"
}

// open says what is under way and what waits.
func (c *Console) open(s *Shown) error {
	if len(s.Pending) > 0 {
		if err := c.say("\n%s", c.paint(faint, "under way")); err != nil {
			return err
		}
		var rows [][]string
		for i := range s.Pending {
			rows = append(rows, s.Pending[i].rows(c.now())...)
		}
		if err := c.table("  ", rows); err != nil {
			return err
		}
	}
	var rows [][]string
	for i := range s.Waiting {
		w := &s.Waiting[i]
		if w.Kind != "branch" || w.within || covered(w, s.Pending) {
			continue
		}
		rows = append(rows, []string{place(w.Branch), w.Waits, at(w.Stack)})
	}
	if len(rows) == 0 {
		return nil
	}
	if err := c.say("\n%s", c.paint(faint, "waiting")); err != nil {
		return err
	}
	return c.table("  ", rows)
}

// covered reports whether all that a branch waits for is among what is under way.
func covered(w *Waiting, pending []Pending) bool {
	if strings.Contains(w.Waits, " or ") || len(w.For) == 0 {
		return false
	}
	for _, op := range w.For {
		found := false
		for i := range pending {
			found = found || pending[i].Op == op
		}
		if !found {
			return false
		}
	}
	return true
}

// place is the place of a branch for people: the root's is empty.
func place(path string) string {
	if path == "" {
		return "/"
	}
	return path
}

// at is the innermost line of a stack.
func at(stack []Frame) string {
	for _, f := range stack {
		if f.Line > 0 {
			return fmt.Sprintf("at %s:%d", f.Source, f.Line)
		}
	}
	return ""
}

func of(script string) string {
	if script == "" {
		return ""
	}
	return "of " + script
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
