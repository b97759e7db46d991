package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// streams are what a command reads from and writes to.
type streams struct {
	In         io.Reader
	Out, Err   io.Writer
	Interrupts <-chan os.Signal // Ctrl-C
	Getenv     func(string) string
}

// terminal is the terminal behind a writer, nil if there is none.
func terminal(w io.Writer) *os.File {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// color reports whether colours are welcome on the error stream (https://no-color.org).
func (s streams) color() bool {
	return terminal(s.Err) != nil && s.Getenv("NO_COLOR") == "" && s.Getenv("TERM") != "dumb"
}
