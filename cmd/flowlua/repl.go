package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/flowlua/flowlua/cmd/flowlua/repl"
)

// replOptions are the flags of the repl command.
type replOptions struct {
	execute []string
	stay    bool
}

func newReplCommand(s streams) *cobra.Command {
	var o replOptions
	c := &cobra.Command{
		Use:   "repl [FILE]",
		Short: "Try things out: a workflow that you type",
		Long: `Try things out: what is typed runs as a workflow on a virtual clock. A line that waits does so while you type on, and
commands that begin with a colon let time pass, play the outside world, look at the execution tree and go back in time;
:help lists them. A FILE is loaded first, and its local variables are there. flowlua alone on a terminal does the same.

With -e the statements are run, then all that they wait for in virtual time, and that is all, unless -i is given.
When the input is not a terminal no prompts are shown, and the exit code is 1 if a line has failed.`,
		Example: `  flowlua repl scripts/payment.lua
  flowlua repl -e 'flow.sleep("1h"); print(flow.now())'
  echo '1+1' | flowlua repl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("expected at most one script FILE, got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runRepl(s, args, o) },
	}
	c.Flags().StringArrayVarP(&o.execute, "execute", "e", nil, "run this `STATEMENT`; may be given several times")
	c.Flags().BoolVarP(&o.stay, "interactive", "i", false, "go on with the input after -e")
	return c
}

// interactive reports whether somebody sits at a terminal.
func (s streams) interactive() bool {
	in, ok := s.In.(*os.File)
	return ok && term.IsTerminal(int(in.Fd())) && terminal(s.Out) != nil
}

func runRepl(s streams, files []string, o replOptions) error {
	config := replConfig(s)
	if len(files) > 0 {
		config.Folder = filepath.Dir(files[0])
	}
	if s.interactive() {
		config.Edit = func(file string) error { return edit(s, file) }
	}
	session, err := repl.New(config)
	if err != nil {
		return err
	}
	defer session.Close()
	for _, file := range files {
		if _, err := os.Stat(file); err != nil {
			return exit(exitLoad, fmt.Errorf("there is no script %s", file))
		}
		session.Input(":load " + file)
		if session.Failed() && !s.interactive() {
			return exit(exitLoad, nil)
		}
	}
	for _, text := range o.execute {
		session.Execute(text)
		if session.Failed() && !o.stay {
			return exit(exitFailed, nil)
		}
	}
	if len(o.execute) > 0 && !o.stay {
		return nil
	}
	if s.interactive() {
		fmt.Fprintln(s.Out, "flowlua: a workflow that you type. :help for help")
	}
	return converse(s, session)
}

// replConfig is what a session knows of where it takes place.
func replConfig(s streams) repl.Config {
	config := repl.Config{Out: s.Out, Err: s.Err, Interrupts: s.Interrupts}
	if out := terminal(s.Out); out != nil {
		config.Color = s.Getenv("NO_COLOR") == "" && s.Getenv("TERM") != "dumb"
		config.Size = func() (int, int) {
			columns, rows, _ := term.GetSize(int(out.Fd()))
			return columns, rows
		}
	}
	return config
}

// converse takes lines until there are no more.
func converse(s streams, session *repl.Session) error {
	lines, err := replLines(s, session)
	if err != nil {
		return err
	}
	err = errors.Join(session.Run(lines), lines.Close())
	switch {
	case errors.Is(err, errInterrupted):
		return exit(exitInterrupted, err)
	case err == nil && session.Failed() && !s.interactive():
		return exit(exitFailed, nil)
	}
	return err
}

// replLines are those of a line editor on a terminal, else those of the input.
func replLines(s streams, session *repl.Session) (repl.Lines, error) {
	if !s.interactive() {
		return interruptible{repl.Plain(s.In), s.Interrupts}, nil
	}
	return repl.Terminal(session, repl.TerminalConfig{HistoryFile: historyFile(s)})
}

// historyFile is where what was typed is kept: $XDG_STATE_HOME/flowlua/history.
func historyFile(s streams) string {
	folder, err := stateFolder(s)
	if err != nil || os.MkdirAll(folder, 0o700) != nil {
		return ""
	}
	return filepath.Join(folder, "history")
}

// edit runs the user's editor.
func edit(s streams, file string) error {
	editor := strings.Fields(cmp.Or(s.Getenv("VISUAL"), s.Getenv("EDITOR"), "vi"))
	c := exec.Command(editor[0], append(editor[1:], file)...)
	c.Stdin, c.Stdout, c.Stderr = s.In, s.Out, s.Err
	if err := c.Run(); err != nil {
		return fmt.Errorf("the editor %s: %w", editor[0], err)
	}
	return nil
}

// interruptible are lines whose wait an interrupt ends.
type interruptible struct {
	repl.Lines
	interrupts <-chan os.Signal
}

func (l interruptible) ReadLine(prompt string) (string, error) {
	if l.interrupts == nil {
		return l.Lines.ReadLine(prompt)
	}
	type answer struct {
		line string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		line, err := l.Lines.ReadLine(prompt)
		answers <- answer{line, err}
	}()
	select {
	case a := <-answers:
		return a.line, a.err
	case <-l.interrupts:
		return "", errInterrupted
	}
}
