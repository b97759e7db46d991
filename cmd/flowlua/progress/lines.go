package progress

import (
	"fmt"
	"strings"
	"time"
)

// Style says how to draw: how much room there is, and whether colours are welcome.
type Style struct {
	Width, Height int // columns and rows; 0 is no limit
	Color         bool
	Paths         bool // with the places of the steps
}

// Lines draws the tree, one line per step. What does not fit into the height is folded: first steps that are over, oldest
// first, then those that wait.
func (b *Board) Lines(now time.Time, style Style) []string {
	if b.root == nil {
		return nil
	}
	limit := style.Height
	if limit <= 0 {
		limit = 1 << 30
	}
	var lines []string
	for _, r := range fold(b.root, limit) {
		lines = append(lines, r.draw(now, style))
	}
	return lines
}

// row is one line to draw: a step, or a number of its siblings folded into one line.
type row struct {
	step   *Step
	indent string
	folded []*Step
}

func (r row) draw(now time.Time, style Style) string {
	p := pen{color: style.Color, room: style.Width - 1}
	if style.Width <= 0 {
		p.room = 1 << 30
	}
	p.write(faint, r.indent)
	if r.folded != nil {
		p.write(faint, summary(r.folded))
		return p.String()
	}
	s := r.step
	p.write(tint(s.State), icon(s)+" ")
	p.write(plain, s.title())
	if style.Paths && s.Path != "" {
		p.write(faint, "  "+s.Path)
	}
	if s.State != Waiting {
		p.write(faint, "  "+Duration(s.Took(now)))
	}
	if s.Attempt > 1 || s.State == Retrying {
		p.write(yellow, "  "+attempts(s))
	}
	if s.Note != "" {
		p.write(tint(s.State), "  "+strings.Join(strings.Fields(s.Note), " "))
	}
	return p.String()
}

func (s *Step) title() string {
	switch {
	case s.Name != "":
		return s.Name
	case s.Kind != "":
		return s.Kind
	case s.scope:
		return "scope"
	case s.Path != "":
		return "branch"
	}
	return "run"
}

func attempts(s *Step) string {
	if s.Of >= s.Attempt { // after a crash there may be more: those that it cut off do not count
		return fmt.Sprintf("attempt %d/%d", s.Attempt, s.Of)
	}
	return fmt.Sprintf("attempt %d", s.Attempt)
}

func icon(s *Step) string {
	switch s.State {
	case Running:
		return "▷"
	case Retrying:
		return "↺"
	case Sleeping:
		return "⧖"
	case Done:
		return "✓"
	case Failed:
		return "✗"
	case Cancelled:
		return "⊘"
	case Ended:
		return "•"
	}
	return "○"
}

// summary counts folded steps by state: "✓ 120 done, ○ 3 waiting".
func summary(steps []*Step) string {
	var count [Ended + 1]int
	for _, s := range steps {
		count[s.State]++
	}
	var parts []string
	for _, state := range []State{Done, Failed, Cancelled, Ended, Running, Retrying, Sleeping, Waiting} {
		if n := count[state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d %s", icon(&Step{State: state}), n, state))
		}
	}
	return strings.Join(parts, ", ")
}

// Duration is a duration for people: "12ms", "3.4s", "2m05s", "1h02m".
func Duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Truncate(100*time.Millisecond).Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}

// Visible drops what would tell a terminal to do something, and keeps the lines.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r == 0x7F {
			return -1
		}
		return r
	}, text)
}
