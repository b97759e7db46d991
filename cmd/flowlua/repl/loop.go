package repl

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// ErrInterrupt is Ctrl-C while a line is typed.
var ErrInterrupt = errors.New("interrupted")

// Lines is where lines come from. ReadLine gives the next one without its end; io.EOF at the end, ErrInterrupt at
// Ctrl-C, with what was typed of the line.
// AddHistory remembers a whole chunk.
type Lines interface {
	ReadLine(prompt string) (string, error)
	AddHistory(chunk string) error
	Close() error
}

// Run types lines into the session until there are no more.
func (s *Session) Run(in Lines) error {
	for !s.over {
		line, err := in.ReadLine(s.Prompt())
		switch {
		case errors.Is(err, ErrInterrupt):
			if !s.Drop() && line == "" {
				s.interrupt()
			}
			continue
		case errors.Is(err, io.EOF):
			s.End()
			return nil
		case err != nil:
			return err
		}
		if chunk := s.Input(line); chunk != "" {
			if err := in.AddHistory(chunk); err != nil {
				return err
			}
		}
	}
	return nil
}

// interrupt is Ctrl-C where nothing is typed: it cancels the newest line that waits.
func (s *Session) interrupt() {
	e, err := s.execution()
	if err != nil {
		return
	}
	place := ""
	for _, c := range e.Chunks() {
		if !c.Over {
			place = c.Path
		}
	}
	if place == "" {
		s.note("Ctrl-D leaves")
		return
	}
	s.begin(":cancel " + place)
	s.command("cancel " + place)
}

// plain are lines of a pipe or a file: no prompt, no history.
type plain struct{ in *bufio.Scanner }

// Plain reads lines as they are.
func Plain(in io.Reader) Lines {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, 2<<20)
	return plain{scanner}
}

func (p plain) ReadLine(string) (string, error) {
	if p.in.Scan() {
		return strings.TrimPrefix(p.in.Text(), "\ufeff"), nil
	}
	if err := p.in.Err(); err != nil {
		return "", err
	}
	return "", io.EOF
}

func (plain) AddHistory(string) error { return nil }
func (plain) Close() error            { return nil }
