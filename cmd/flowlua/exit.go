package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// The exit codes, as README.md lists them.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitLoad        = 3
	exitCancelled   = 4
	exitInterrupted = 130
	exitTerminated  = 143
)

// exitError is an error that knows the exit code of the process.
type exitError struct {
	code int
	err  error // nil: everything has been said
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func exit(code int, err error) error { return &exitError{code, err} }

// usage is the error of a command that was called in the wrong way.
func usage(format string, args ...any) error { return exit(exitUsage, fmt.Errorf(format, args...)) }

// failed is err with an exit code: that of a failure if it has none.
func failed(err error) error {
	var known *exitError
	if err == nil || errors.As(err, &known) {
		return err
	}
	return exit(exitFailed, err)
}

// report says what went wrong and returns the exit code.
func report(w io.Writer, err error) int {
	if err == nil {
		return 0
	}
	code := exitFailed
	var known *exitError
	if errors.As(err, &known) {
		code = known.code
	}
	if text := err.Error(); text != "" {
		fmt.Fprintf(w, "flowlua: %s\n", strings.Map(visible, strings.TrimPrefix(text, "flowlua: "))) // the engine says it, too
	}
	return code
}

// visible drops what would tell a terminal to do something.
func visible(r rune) rune {
	if r < 0x20 && r != '\n' && r != '\t' || r == 0x7F {
		return -1
	}
	return r
}
