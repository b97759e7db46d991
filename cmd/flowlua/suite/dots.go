package suite

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/workflow/flowtest"
)

// Dots reports for people: a dot for each test, and what has failed at the end.
type Dots struct {
	Out     io.Writer
	Color   bool
	Verbose bool                            // a line for each test instead, with what it has printed
	Explain func(err error, f *File) string // what is wrong with a file that does not load
	Command string                          // how to run tests again: "flowlua test"

	plan   Plan
	column int
	failed []failed
	ends   []string // said after the dots
}

type failed struct {
	file   *File
	result *flowtest.Result
}

func (d *Dots) paint(color, text string) string {
	if !d.Color || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// Begin implements Reporter.
func (d *Dots) Begin(p Plan) { d.plan = p }

// Broken implements Reporter.
func (d *Dots) Broken(f *File) {
	d.ends = append(d.ends, d.paint("31", "does not load")+": "+d.Explain(f.Err, f))
}

// dotsPerLine is how many dots a line has.
const dotsPerLine = 80

// Test implements Reporter.
func (d *Dots) Test(f *File, r *flowtest.Result) {
	color, dot := "32", "."
	switch r.Status {
	case flowtest.Pending:
		color, dot = "33", "P"
	case flowtest.Failed:
		color, dot = "31", "F"
		d.failed = append(d.failed, failed{f, r})
	}
	if d.Verbose {
		d.line(f, r, color)
		return
	}
	io.WriteString(d.Out, d.paint(color, dot))
	if d.column++; d.column == dotsPerLine {
		d.newLine()
	}
}

// line tells of a test by itself.
func (d *Dots) line(f *File, r *flowtest.Result, color string) {
	after := f.at(&r.Test)
	if r.Elapsed > 0 {
		after += " " + virtualTime(r.Elapsed)
	}
	fmt.Fprintf(d.Out, "%s%s  %s  %s\n", d.paint(color, string(r.Status)), strings.Repeat(" ", len(flowtest.Pending)-len(r.Status)), title(r), d.paint("2", after))
	for _, line := range r.Printed {
		fmt.Fprintln(d.Out, indented(line, "         "))
	}
}

func (d *Dots) newLine() {
	if d.column > 0 {
		fmt.Fprintln(d.Out)
	}
	d.column = 0
}

// End implements Reporter.
func (d *Dots) End(s Summary) {
	d.newLine()
	for _, text := range d.ends {
		fmt.Fprintf(d.Out, "\n%s\n", text)
	}
	for _, f := range folded(d.failed) {
		d.explain(f)
	}
	if len(d.failed)+len(d.ends) > 0 {
		fmt.Fprintln(d.Out)
	}
	fmt.Fprintln(d.Out, d.summary(s))
}

// explain tells why a test has failed.
func (d *Dots) explain(one *explained) {
	f, r, p := one.file, one.result, one.problem
	fmt.Fprintf(d.Out, "\n%s: %s\n", d.paint("31", "failed"), d.paint("1", title(r)))
	fmt.Fprintf(d.Out, "  %s", p.place)
	if p.source != "" {
		fmt.Fprintf(d.Out, "  %s", d.paint("2", progress.Visible(p.source)))
	}
	fmt.Fprintln(d.Out)
	for _, line := range strings.Split(indented(shortened(progress.Visible(p.message)), "    "), "\n") {
		fmt.Fprintln(d.Out, d.changed(line))
	}
	for i, line := range p.trace {
		if i > 0 { // the first is the place
			fmt.Fprintln(d.Out, d.paint("2", "  "+line))
		}
	}
	for _, cause := range p.causes {
		fmt.Fprintln(d.Out, "  caused by "+cause)
	}
	if len(r.Printed) > 0 && !d.Verbose {
		fmt.Fprintf(d.Out, "  it printed\n%s\n", indented(strings.Join(r.Printed, "\n"), "    "))
	}
	if n := len(one.others); n > 0 {
		text := strings.Join(one.others[:min(n, mostNamed)], ", ")
		if n > mostNamed {
			text += fmt.Sprintf(" and %d more", n-mostNamed)
		}
		fmt.Fprintf(d.Out, "  the same: %s\n", text)
	}
	fmt.Fprintf(d.Out, "  %s\n", d.paint("2", fmt.Sprintf("%s %s", d.Command, f.at(&r.Test))))
}

// changed colours a line of a difference.
func (d *Dots) changed(line string) string {
	switch {
	case strings.HasPrefix(line, "    - "):
		return d.paint("31", line)
	case strings.HasPrefix(line, "    + "):
		return d.paint("32", line)
	}
	return line
}

func (d *Dots) summary(s Summary) string {
	parts := []string{d.paint("32", fmt.Sprintf("%d passed", s.Passed))}
	add := func(n int, color, format string) {
		if n > 0 {
			parts = append(parts, d.paint(color, fmt.Sprintf(format, n)))
		}
	}
	add(s.Failed, "31", "%d failed")
	add(s.Pending, "33", "%d pending")
	add(s.Skipped, "33", "%d not run")
	if s.Broken == 1 {
		add(1, "31", "%d file does not load")
	} else {
		add(s.Broken, "31", "%d files do not load")
	}
	text := fmt.Sprintf("%s in %s", strings.Join(parts, ", "), d.paint("2", took(s.Took)))
	if s.Elapsed > 0 {
		text += d.paint("2", " ("+virtualTime(s.Elapsed)+" of virtual time)")
	}
	if d.plan.Shuffled {
		text += fmt.Sprintf(", --shuffle=%d", d.plan.Seed)
	}
	return text
}

func took(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func virtualTime(d time.Duration) string {
	const day = 24 * time.Hour
	if d >= 2*day {
		return fmt.Sprintf("%d days", d/day)
	}
	if d >= time.Second {
		d = d.Round(time.Second)
	}
	return stdlib.FormatDuration(d)
}
