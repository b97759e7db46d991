// Package repl is an interactive session: what is typed runs as a workflow on a virtual clock. A Session takes lines and
// writes what comes of them; how lines are edited and where the text goes is for others (Terminal, Lines).
package repl

import (
	"cmp"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/repl/world"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

// Config of a Session. Only Out must be set.
type Config struct {
	Out        io.Writer                                               // values, print, answers
	Err        io.Writer                                               // errors; nil: Out
	Color      bool                                                    // ANSI colours are welcome
	Size       func() (int, int)                                       // columns and rows there are; nil or 0: no limit
	Folder     string                                                  // where files and modules are; "": the current one
	Limits     vm.Limits                                               // of what a line may use
	Interrupts <-chan os.Signal                                        // Ctrl-C while something runs; nil: none
	Edit       func(file string) error                                 // opens an editor and waits for it; nil: there is none
	Pause      func(d time.Duration, interrupts <-chan os.Signal) bool // for :live; nil: real time
}

// Session is one.
type Session struct {
	config  Config
	world   *world.World
	docs    *docs
	pending []string // lines of a chunk that is not complete
	past    []entry  // what was typed, to go back to
	log     []exchange
	loaded  []string // files, in the order of :load
	failed  bool     // something did
	over    bool     // :quit
	quiet   bool     // nobody is there to be told what waits
	debug   *debug   // nil: this is not the copy of a run
}

// entry is something typed that has changed the session.
type entry struct {
	text string
	mark int // before it
}

const mainName = "session.lua" // what is typed, in messages

// New begins a session.
func New(config Config) (*Session, error) {
	s := &Session{config: config}
	if s.config.Err == nil {
		s.config.Err = config.Out
	}
	s.config.Folder = cmp.Or(config.Folder, ".")
	var err error
	if s.docs, err = readDocs(stdlib.Declarations()); err != nil {
		return nil, err
	}
	s.world, err = world.New(world.Config{
		Print: s.print, Stdout: outWriter{s}, Log: s.logger(), Modules: os.DirFS(s.config.Folder), Limits: config.Limits,
	})
	return s, err
}

// Close ends the session.
func (s *Session) Close() { s.world.Close() }

// Failed reports whether anything that was typed has failed.
func (s *Session) Failed() bool { return s.failed }

// Over reports whether the session was left by a command.
func (s *Session) Over() bool { return s.over }

// Prompt shows the virtual time, if any has passed, and whether a chunk is being continued.
func (s *Session) Prompt() string {
	prompt := "> "
	if len(s.pending) > 0 {
		prompt = ">> "
	}
	if s.debug != nil {
		return s.debugPrompt() + prompt
	}
	if past := s.world.Elapsed(); past > 0 {
		prompt = stdlib.FormatDuration(past) + prompt
	}
	return prompt
}

// Input takes a line. It returns the whole chunk or command that the line has completed, "" if more is to come.
func (s *Session) Input(line string) string {
	line = strings.TrimRight(line, "\r")
	if len(s.pending) == 0 {
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "":
			return ""
		case strings.HasPrefix(trimmed, ":") && !strings.HasPrefix(trimmed, "::"):
			s.begin(trimmed)
			s.command(trimmed[1:])
			return trimmed
		}
	}
	s.pending = append(s.pending, line)
	text := strings.Join(s.pending, "\n")
	var syntax *vm.SyntaxError
	err := vm.CheckTyped(s.typedName(), text, s.nextLine(), vm.Limits{})
	if errors.As(err, &syntax) && syntax.Incomplete {
		return ""
	}
	s.pending = nil
	s.begin(text)
	switch {
	case err != nil:
		s.fail(err)
	case s.debug != nil:
		s.evaluate(text)
	default:
		s.Enter(text)
	}
	return text
}

// Execute runs a chunk and then, in virtual time, all that it waits for. That it still waits then is an error.
func (s *Session) Execute(text string) {
	s.quiet = true
	defer func() { s.quiet = false }()
	s.Input(text)
	s.End()
	s.command("run")
	e, err := s.execution()
	if err != nil {
		return
	}
	if chunks := e.Chunks(); len(chunks) > 0 && !chunks[len(chunks)-1].Over {
		s.complain(oneLine(text, 60) + " " + s.reason(chunks[len(chunks)-1].Path))
	}
}

// Drop forgets a chunk that is not complete. It reports whether there was one.
func (s *Session) Drop() bool {
	dropped := len(s.pending) > 0
	s.pending = nil
	return dropped
}

// End is the end of the input: a chunk that is not complete is an error.
func (s *Session) End() {
	if len(s.pending) == 0 {
		return
	}
	text := strings.Join(s.pending, "\n")
	s.pending = nil
	s.begin(text)
	s.fail(vm.CheckTyped(s.typedName(), text, s.nextLine(), vm.Limits{}))
}

// Enter runs a chunk that is complete, and tells what comes of it.
func (s *Session) Enter(text string) {
	s.enter(text, workflow.Typed{Name: mainName, Source: text, Line: s.nextLine()})
}

func (s *Session) enter(text string, typed workflow.Typed) {
	s.change(text, func() error { return s.world.Enter(typed) })
	e, err := s.execution()
	if err != nil {
		return
	}
	if chunks := e.Chunks(); len(chunks) > 0 {
		if last := chunks[len(chunks)-1]; !last.Over && last.Typed == typed {
			s.waits(last)
		}
	}
}

// change does something to the world that can be gone back before, and tells the news.
func (s *Session) change(text string, do func() error) {
	mark := s.world.Mark()
	err := s.watched(do)
	if s.debug != nil {
		s.moved()
	}
	s.news()
	if err != nil {
		s.undone(err, s.world.Mark() != mark)
	}
	if s.world.Mark() != mark {
		s.past = append(s.past, entry{text, mark})
	}
}

// watched interrupts what runs at Ctrl-C.
func (s *Session) watched(do func() error) error {
	s.world.Resume()
	if s.config.Interrupts == nil {
		return do()
	}
	select { // it was pressed before
	case <-s.config.Interrupts:
	default:
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-s.config.Interrupts:
				s.world.Interrupt()
			case <-done:
				return
			}
		}
	}()
	err := do()
	close(done)
	<-ended
	return err
}

// typedName is what is typed, in messages.
func (s *Session) typedName() string {
	if s.debug != nil {
		return typedName
	}
	return mainName
}

// nextLine is where the next chunk begins, if all that was typed is one file.
func (s *Session) nextLine() int {
	line := 1
	if e, err := s.execution(); err == nil {
		for _, c := range e.Chunks() {
			if c.Name == mainName {
				line = max(line, c.Line+1+strings.Count(c.Source, "\n"))
			}
		}
	}
	return line
}

func (s *Session) execution() (*workflow.Execution, error) { return s.world.Session().Execution() }
