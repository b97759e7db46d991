package repl

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/cmd/flowlua/repl/world"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// news tells what has ended or failed since it was last told.
func (s *Session) news() {
	e, err := s.execution()
	if err != nil {
		s.complain(err.Error())
		return
	}
	chunks := e.Chunks()
	for _, r := range e.Reports() {
		switch {
		case r.Err != nil && r.Chunk == nil:
			s.complain("nobody waits for what failed: " + s.failure(r.Err))
		case r.Err != nil:
			s.complain(s.failure(r.Err))
		case len(r.Chunk.Values) > 0:
			text := s.values(r.Chunk.Values)
			if last := chunks[len(chunks)-1]; last.Path != r.Chunk.Path || last.Entered != r.Chunk.Ended {
				text += s.paint("2", "  -- "+oneLine(r.Chunk.Source, 40))
			}
			s.say("%s", text)
		}
	}
}

func (s *Session) values(list []lua.LValue) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = s.show(v)
	}
	return strings.Join(texts, "\t")
}

// fail tells of an error that is not the script's.
func (s *Session) fail(err error) {
	var syntax *vm.SyntaxError
	if errors.As(err, &syntax) {
		text := syntax.Error()
		if syntax.Near == "<eof>" && syntax.Incomplete {
			text += ": the chunk is not complete"
		}
		s.complain(text)
		return
	}
	s.complain(err.Error())
}

// undone tells of an engine error, after which the session is as it was before.
func (s *Session) undone(err error, partly bool) {
	since := ": nothing of this has happened"
	if partly {
		since = ": the session is as it was just before"
	}
	var limit *vm.LimitError
	switch {
	case errors.Is(err, world.ErrInterrupted):
		s.complain("interrupted" + since)
	case errors.As(err, &limit):
		text := limit.Error() + since
		for _, f := range limit.Frames {
			if f.Line > 0 {
				text += fmt.Sprintf("\n  at %s:%d", f.Source, f.Line)
			}
		}
		s.complain(text)
	default:
		s.complain(err.Error() + since)
	}
}

// failure is an error with its logical stack, and what caused it.
func (s *Session) failure(err error) string {
	var b strings.Builder
	for e := stdlib.ErrorOf(err); e != nil; e = e.Cause {
		if b.Len() > 0 {
			b.WriteString("\ncaused by ")
		}
		b.WriteString(e.Error() + s.hint(e.Message) + s.trace(e.Trace()))
	}
	return b.String()
}

// trace are the lines of a stack, the first with its source; what comes several times in a row is written once.
func (s *Session) trace(lines []string) string {
	var b strings.Builder
	for i := 0; i < len(lines); {
		n := 1
		for i+n < len(lines) && lines[i+n] == lines[i] {
			n++
		}
		b.WriteString("\n  " + lines[i])
		if i == 0 {
			b.WriteString(s.quote(lines[i]))
		}
		if n > 1 {
			fmt.Fprintf(&b, " (%d times)", n)
		}
		i += n
	}
	return b.String()
}

var (
	undefined = regexp.MustCompile(`global '(\w+)' \(a nil value\)$`)
	position  = regexp.MustCompile(`^at (\S+\.lua):(\d+)`)
)

// hint names what may have been meant by a global that there is none of.
func (s *Session) hint(message string) string {
	if m := undefined.FindStringSubmatch(message); m != nil {
		return stdlib.Suggest(m[1], s.names())
	}
	return ""
}

// quote is the typed line that a frame names.
func (s *Session) quote(frame string) string {
	m := position.FindStringSubmatch(frame)
	e, err := s.execution()
	if m == nil || err != nil {
		return ""
	}
	var n int
	fmt.Sscan(m[2], &n)
	if lines := strings.Split(s.world.Source(m[1]), "\n"); n >= 1 && n <= len(lines) && lines[n-1] != "" {
		return "    " + oneLine(lines[n-1], 60)
	}
	for _, c := range slices.Backward(e.Chunks()) {
		lines := strings.Split(c.Source, "\n")
		if c.Name == m[1] && n >= c.Line && n < c.Line+len(lines) {
			return "    " + oneLine(lines[n-c.Line], 60)
		}
	}
	return ""
}

// waits tells that a line waits, and how it can go on.
func (s *Session) waits(c *workflow.Chunk) {
	if s.quiet {
		return
	}
	for _, line := range s.wrap(s.reason(c.Path), 0) {
		s.note("%s", line)
	}
}

// oneLine is a text for people, no longer than that.
func oneLine(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
