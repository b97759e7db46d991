package repl

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// A transcript is a session as text: what was typed after "> ", the further lines of a chunk after ">> ", and below each
// what was written. "…" in what is expected stands for any text within a line. A line that begins with "# " is a heading; what
// is below it is a session of its own. A backslash in front makes of any line one of output.

var loose = regexp.MustCompile(`(?m)^took .*$`)

func (s *Session) record(file string) error {
	if file == "" {
		return misuse("a file expected")
	}
	var b strings.Builder
	log := s.log[:len(s.log)-1]
	for i := range log {
		writeExchange(&b, log[i].input, log[i].output.String())
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		return plainPath(err)
	}
	s.say("%d inputs in %s", len(log), file)
	return nil
}

func writeExchange(b *strings.Builder, input, output string) {
	prompt := "> "
	for line := range strings.Lines(input) {
		b.WriteString(prompt + strings.TrimRight(line, "\n") + "\n")
		prompt = ">> "
	}
	for line := range strings.Lines(loose.ReplaceAllString(output, "took …")) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "> ") || strings.HasPrefix(line, ">> ") || strings.HasPrefix(line, "# ") || strings.HasPrefix(line, `\`) || line == "" {
			line = `\` + line
		}
		b.WriteString(line + "\n")
	}
}

// Part is a session of a transcript.
type Part struct {
	Heading string
	Line    int // of the heading, from 1
	steps   []step
}

type step struct {
	line   int
	input  []string
	output []string
}

// ParseTranscript reads one. Empty lines between are ignored.
func ParseTranscript(text string) ([]Part, error) {
	parts := []Part{{Line: 1}}
	for i, line := range strings.Split(text, "\n") {
		part := &parts[len(parts)-1]
		var now *step
		if n := len(part.steps); n > 0 {
			now = &part.steps[n-1]
		}
		input, first := strings.CutPrefix(line, "> ")
		more, further := strings.CutPrefix(line+" ", ">> ")
		switch {
		case strings.HasPrefix(line, "# "):
			parts = append(parts, Part{Heading: line[2:], Line: i + 1})
		case first || line == ">":
			part.steps = append(part.steps, step{line: i + 1, input: []string{input}})
		case further && now != nil && len(now.output) == 0:
			now.input = append(now.input, strings.TrimSuffix(more, " "))
		case line == "":
		case now == nil:
			return nil, fmt.Errorf("line %d: output before anything was typed", i+1)
		default:
			now.output = append(now.output, strings.TrimPrefix(line, `\`))
		}
	}
	if len(parts[0].steps) == 0 && len(parts) > 1 {
		parts = parts[1:]
	}
	return parts, nil
}

// Run types a part of a transcript into a new session. It returns the part as it came out, and an error for the first
// output that is not the expected one.
func (p Part) Run(config Config) (got string, err error) { return p.RunIn(config, New) }

// RunIn is Run in another session than a new one.
func (p Part) RunIn(config Config, open func(Config) (*Session, error)) (got string, err error) {
	var out strings.Builder
	config.Out, config.Err = &out, nil
	s, err := open(config)
	if err != nil {
		return "", err
	}
	defer s.Close()
	var b strings.Builder
	if p.Heading != "" {
		b.WriteString("# " + p.Heading + "\n")
	}
	for _, step := range p.steps {
		out.Reset()
		for _, line := range step.input {
			s.Input(line)
		}
		if s.Drop() && err == nil {
			err = fmt.Errorf("line %d: the chunk is not complete: %s", step.line, step.input)
		}
		writeExchange(&b, strings.Join(step.input, "\n"), out.String())
		if want := strings.Join(step.output, "\n"); err == nil && !matches(want, out.String()) {
			err = fmt.Errorf("line %d: > %s\nexpected:\n%s\nfound:\n%s", step.line, strings.Join(step.input, "\n"), want, out.String())
		}
	}
	return b.String(), err
}

// matches compares output; "…" stands for anything in a line. Empty lines do not count.
func matches(want, got string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "…", ".*")
	clean := strings.Trim(regexp.MustCompile(`\n\s*\n+`).ReplaceAllString(got, "\n"), "\n")
	pattern = regexp.MustCompile(`\n\n+`).ReplaceAllString(strings.Trim(pattern, "\n"), "\n")
	return regexp.MustCompile("^(?:" + pattern + ")$").MatchString(clean)
}
