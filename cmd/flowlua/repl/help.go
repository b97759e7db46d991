package repl

import (
	"fmt"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/stdlib"
)

const intro = `Type Lua: values are shown, local variables stay, _ is the last value, flow is there, and workflows has what was
declared. What waits, waits in virtual time while you type on; the prompt shows the time when some has passed. A command
begins with a colon, and as much of its name as no other begins with is enough.`

const introToDebug = `This is a copy of a run: the stored one is not changed by anything here, and nobody performs its activities. Type Lua:
it is evaluated where the chosen branch stands, sees the variables there, and can assign to them; it may neither wait nor start
anything. What the copy does by itself once it has gone another way is marked in the prompt by a star behind the number of events.`

func (s *Session) help(rest string) error {
	if rest == "" {
		text := intro
		if s.debug != nil {
			text = introToDebug
		}
		s.paragraph("", text)
		for _, g := range s.groups() {
			s.say("")
			s.say("%s", s.paint("1", g.title))
			for _, c := range g.commands {
				s.entry(c.usage(), c.help)
			}
		}
		s.say("")
		if s.debug == nil {
			s.paragraph("", "Ctrl-C drops what is typed, or ends what runs; on an empty line it cancels the newest line that waits. Ctrl-D leaves.")
		} else {
			s.paragraph("", "Ctrl-C drops what is typed, or ends what runs. Ctrl-D leaves.")
		}
		return nil
	}
	if name, is := strings.CutPrefix(rest, ":"); is {
		c, err := s.named(name)
		if err == nil {
			s.commandHelp(c)
		}
		return err
	}
	found := s.docs.find(rest)
	switch {
	case len(found) == 1:
		s.topic(found[0])
		return nil
	case len(found) > 1:
		names := make([]string, len(found))
		for i, t := range found {
			names[i] = t.name
		}
		return fmt.Errorf("'%s' may be %s", rest, strings.Join(names, ", "))
	}
	var names []string
	for _, c := range s.commands() {
		if c.name == rest {
			s.commandHelp(c)
			return nil
		}
		names = append(names, c.name)
	}
	return fmt.Errorf("there is no help on '%s'%s", rest, stdlib.Suggest(rest, append(names, s.docs.names...)))
}

func (s *Session) commandHelp(c command) {
	s.say("%s", s.paint("1", c.usage()))
	s.paragraph("  ", c.help)
	if c.more != "" {
		s.paragraph("  ", c.more)
	}
}

// topic renders a declaration: signature, prose, example, parameters.
func (s *Session) topic(t *topic) {
	title := t.name + t.signature
	if t.async {
		title += "   waits"
	}
	s.say("%s", s.paint("1", title))
	var prose []string
	flush := func() {
		if len(prose) > 0 {
			s.paragraph("  ", strings.Join(prose, " "))
		}
		prose = nil
	}
	example := false
	for _, line := range t.text {
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			example = !example
		case example:
			s.say("    %s", s.paint("36", line))
		case strings.TrimSpace(line) == "":
			flush()
		default:
			prose = append(prose, strings.TrimSpace(line))
		}
	}
	flush()
	for _, p := range t.params {
		name, what, _ := strings.Cut(p, " ")
		s.entry(name, what)
	}
	for _, r := range t.returns {
		s.entry("returns", r)
	}
	if methods := s.docs.methods(t.name[strings.LastIndexByte(t.name, '.')+1:]); len(methods) > 0 && t.signature == "" {
		s.entry("methods", strings.Join(methods, ", "))
	}
}

// entry is a term and what it means, in two columns where there is room.
func (s *Session) entry(term, meaning string) {
	const column = 26
	if columns := s.width(); columns > 0 && columns < 2*column || progress.Cells(term) > column-4 {
		s.say("  %s", s.paint("36", term))
		s.paragraph("      ", meaning)
		return
	}
	lines := s.wrap(meaning, column)
	s.say("  %s%s%s", s.paint("36", term), strings.Repeat(" ", column-2-progress.Cells(term)), lines[0])
	for _, line := range lines[1:] {
		s.say("%s%s", strings.Repeat(" ", column), line)
	}
}

func (s *Session) paragraph(indent, text string) {
	for _, line := range s.wrap(text, len(indent)) {
		s.say("%s%s", indent, line)
	}
}

// wrap breaks a text into lines for the width there is, less what stands before.
func (s *Session) wrap(text string, before int) []string {
	room := 100
	if columns := s.width(); columns > 0 {
		room = min(room, columns-1)
	}
	room = max(10, room-before)
	lines, line := []string{}, ""
	for _, word := range strings.Fields(text) {
		if line != "" && progress.Cells(line)+1+progress.Cells(word) > room {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
