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
	Interrupts <-chan os.Signal                               // Ctrl-C
	Ends       func() (signals <-chan os.Signal, stop func()) // requests to end soon, from now until stop is called; nil: there are none
	Getenv     func(string) string
}

// ends are the requests to end soon.
func (s streams) ends() (<-chan os.Signal, func()) {
	if s.Ends == nil {
		return nil, func() {}
	}
	return s.Ends()
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
