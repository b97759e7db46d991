package repl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flowlua/flowlua/stdlib"
)

// command is one that begins with a colon. What there is, is this table: help and completion are made of it.
type command struct {
	name string
	args string // as help shows them
	help string
	run  func(s *Session, rest string) error
	kind argument // what its first argument is, for completion
	more string   // the rest of its help
}

type argument int

const (
	anything argument = iota
	aFile
	aTopic
	aPlace
	aChunk
)

// group are commands under a title of the help.
type group struct {
	title    string
	commands []command
}

// groups are the commands in the order of help.
func (s *Session) groups() []group {
	if s.debug != nil {
		return s.debugGroups()
	}
	return []group{
		{"Looking", looking()}, {"Time", timing()}, {"The outside world", outside()}, {"Time travel", travelling()}, {"Keeping", keeping()},
	}
}

func (s *Session) commands() []command {
	var list []command
	for _, g := range s.groups() {
		list = append(list, g.commands...)
	}
	return list
}

// usageError is about how a command was called.
type usageError struct{ problem string }

func (e usageError) Error() string { return e.problem }

func misuse(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// command runs one.
func (s *Session) command(text string) {
	name, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	c, err := s.named(name)
	if err == nil {
		if err = c.run(s, strings.TrimSpace(rest)); err != nil {
			if _, wrong := err.(usageError); wrong {
				err = fmt.Errorf("%w\nusage: %s", err, c.usage())
			}
		}
	}
	if err != nil {
		s.complain(err.Error())
	}
}

func (c command) usage() string { return strings.TrimSpace(":" + c.name + " " + c.args) }

// find finds a command by its name or a prefix that no other has.
func (s *Session) named(name string) (command, error) {
	var found []command
	var names []string
	for _, c := range s.commands() {
		if c.name == name {
			return c, nil
		}
		names = append(names, c.name)
		if name != "" && strings.HasPrefix(c.name, name) {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return command{}, fmt.Errorf("there is no command ':%s'%s; :help lists them", name, stdlib.Suggest(name, names))
	}
	names = names[:0]
	for _, c := range found {
		names = append(names, ":"+c.name)
	}
	slices.Sort(names)
	return command{}, fmt.Errorf("':%s' may be %s", name, strings.Join(names, " or "))
}

// words splits the first n-1 words off a text; the last is what is left.
func words(text string, n int) []string {
	var out []string
	for text = strings.TrimSpace(text); text != "" && len(out) < n-1; {
		word, rest, _ := strings.Cut(text, " ")
		out, text = append(out, word), strings.TrimSpace(rest)
	}
	if text != "" {
		out = append(out, text)
	}
	return out
}

// none is the check of commands without arguments.
func none(rest string) error {
	if rest != "" {
		return misuse("no argument expected, got '%s'", oneLine(rest, 40))
	}
	return nil
}
