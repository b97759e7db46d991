package repl

import (
	"errors"
	"io"
	"strings"

	"github.com/chzyer/readline"
)

// TerminalConfig says what the line editor of a terminal talks to. The zero value is the process's own terminal.
type TerminalConfig struct {
	HistoryFile string // whole chunks; "": none is kept
	Stdin       io.ReadCloser
	Stdout      io.Writer
	Test        bool // the streams are no terminal
}

// newlineMark stands for the end of a line within a chunk in the history, which is a file of lines.
const newlineMark = " ⏎ "

// terminal edits lines with github.com/chzyer/readline. Nothing of that is seen outside of this file.
type terminal struct {
	editor *readline.Instance
}

// Terminal edits the lines of a session on a terminal.
func Terminal(s *Session, c TerminalConfig) (Lines, error) {
	config := &readline.Config{
		HistoryFile:            c.HistoryFile,
		DisableAutoSaveHistory: true,
		AutoComplete:           completer{s},
		InterruptPrompt:        "^C",
		Stdin:                  c.Stdin,
		Stdout:                 c.Stdout,
	}
	if c.Test {
		yes, nothing := func() bool { return true }, func() error { return nil }
		config.FuncIsTerminal, config.FuncMakeRaw, config.FuncExitRaw = yes, nothing, nothing
		config.FuncOnWidthChanged = func(func()) {}
		config.FuncGetWidth = func() int { return 80 }
		config.ForceUseInteractive = true
	}
	editor, err := readline.NewEx(config)
	return terminal{editor}, err
}

func (t terminal) ReadLine(prompt string) (string, error) {
	t.editor.SetPrompt(prompt)
	line, err := t.editor.Readline()
	if errors.Is(err, readline.ErrInterrupt) {
		return line, ErrInterrupt
	}
	return strings.ReplaceAll(line, newlineMark, "\n"), err
}

func (t terminal) AddHistory(chunk string) error {
	return t.editor.SaveHistory(strings.ReplaceAll(chunk, "\n", newlineMark))
}

func (t terminal) Close() error { return t.editor.Close() }

// completer is Session.Complete as the editor wants it. A tab behind nothing but blanks is indentation: pasted text has it.
type completer struct{ session *Session }

func (c completer) Do(line []rune, at int) ([][]rune, int) {
	before := string(line[:at])
	if strings.TrimSpace(before) == "" {
		return [][]rune{[]rune("  ")}, 0
	}
	candidates, replaced := c.session.Complete(before)
	out := make([][]rune, len(candidates))
	for i, candidate := range candidates {
		out[i] = []rune(candidate[replaced:])
	}
	return out, replaced
}
