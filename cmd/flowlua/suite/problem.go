package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/workflow/flowtest"
)

// problem is why a test has failed, with places as the user would write them.
type problem struct {
	name    string   // of the error: AssertionError
	message string   // may have several lines
	place   string   // file:line
	trace   []string // all of the logical stack, beginning with place; empty where that is all
	source  string   // the line at place
	causes  []string // of the error, with their places: the nearest first
}

var frame = regexp.MustCompile(`^at (.+):(\d+)((?: in .*)?)$`)

func (f *File) problem(r *flowtest.Result) problem {
	p := problem{name: r.Failure.Name, message: r.Failure.Message}
	if value := string(r.Failure.Value); p.name == "Error" && (strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[")) && value != "[]" && !strings.HasPrefix(value, `{"$bytes"`) {
		p.message += ": " + value // a table that was raised
	}
	p.message = operate.Flagged(p.message)
	if p.message == "" {
		p.message = "an empty text was raised"
	}
	for _, text := range r.Failure.Trace {
		m := frame.FindStringSubmatch(text)
		if m == nil {
			p.trace = append(p.trace, text)
			continue
		}
		place := f.Shown(m[1]) + ":" + m[2]
		if p.place == "" {
			p.place = place
			line, _ := strconv.Atoi(m[2])
			p.source = f.line(m[1], line)
		}
		p.trace = append(p.trace, "at "+place+m[3])
	}
	for cause := r.Failure.Cause; cause != nil && r.Failure.Name != "TestError"; cause = cause.Cause {
		text := strings.TrimSuffix(cause.Name+": "+cause.Message, ": ")
		for _, line := range cause.Trace {
			if m := frame.FindStringSubmatch(line); m != nil {
				text += "  " + f.Shown(m[1]) + ":" + m[2]
				break
			}
		}
		p.causes = append(p.causes, text)
	}
	if p.place == "" {
		p.place = f.at(&r.Test)
	}
	if len(p.trace) == 1 {
		p.trace = nil
	}
	switch p.name {
	case "AssertionError", "TestError", "Error": // the message says all
	default:
		p.message = strings.TrimSuffix(p.name+": "+p.message, ": ")
	}
	return p
}

// at is where a test begins: FILE:LINE, which runs just this one.
func (f *File) at(t *flowtest.Test) string { return fmt.Sprintf("%s:%d", f.Path, t.Line) }

// line is a line of a script, as it is now.
func (f *File) line(name string, n int) string {
	text, err := os.ReadFile(filepath.Join(f.Root, filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	lines := strings.Split(string(text), "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

// indented puts a text with several lines under something.
func indented(text, by string) string {
	return by + strings.ReplaceAll(text, "\n", "\n"+by)
}
