package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/flowlua/flowlua/vm"
)

// readInput is the workflow's input: JSON text, @FILE or - for the standard input. Whatever it is, it is one value: an array
// is one argument too. No input is none. An interrupt ends the wait for the standard input.
func readInput(flag string, given bool, s streams) (json.RawMessage, error) {
	if !given {
		return nil, nil
	}
	text, source := []byte(flag), "--input"
	var err error
	switch {
	case flag == "-":
		source = "standard input"
		text, err = readAll(s)
	case flag == "@":
		return nil, usage("--input: expected the name of a file after @")
	case strings.HasPrefix(flag, "@"):
		source = flag[1:]
		text, err = readFile(source)
	}
	if errors.Is(err, errInterrupted) {
		return nil, exit(exitInterrupted, err)
	}
	if err != nil {
		return nil, usage("--input: %w", err)
	}
	if problem := jsonProblem(text); problem != "" {
		hint := ""
		if source == "--input" {
			hint = "\n" + inputHint(flag)
		}
		return nil, usage("%s is not JSON: %s%s", source, problem, hint)
	}
	return json.RawMessage(text), nil
}

var errInterrupted = errors.New("interrupted")

// readAll reads the standard input to its end.
func readAll(s streams) (text []byte, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		text, err = io.ReadAll(&bounded{Reader: s.In, most: mostInput})
	}()
	select {
	case <-done:
		return text, err
	case <-s.Interrupts:
		return nil, errInterrupted
	}
}

// inputHint says what to write instead of a text that is not JSON.
func inputHint(text string) string {
	example := "A text is written with its quotes: --input '\"" + text + "\"'"
	switch trimmed := strings.TrimSpace(text); {
	case strings.HasPrefix(trimmed, "{"), strings.HasPrefix(trimmed, "["):
		example = `Keys and texts are written in double quotes, all of it in single ones: --input '{"id": 7, "items": ["pen"]}'`
	case trimmed == "", strings.ContainsAny(text, `"'\`):
		example = `A text is written with its quotes: --input '"text"'`
	}
	return example + ". A file is --input @FILE."
}

// jsonProblem says where and why a text is not one JSON value that a script can have, "" if it is.
func jsonProblem(text []byte) string {
	state := vm.New(vm.Config{})
	defer state.Close()
	_, err := state.Decode(text)
	var wrong *vm.JSONError
	switch {
	case errors.As(err, &wrong):
		return fmt.Sprintf("line %d, column %d: %s", wrong.Line, wrong.Column, wrong.Problem)
	case err != nil:
		return err.Error()
	}
	return ""
}
