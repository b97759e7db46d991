package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

// outcome reports how a run ended, and chooses the exit code.
func outcome(s streams, o driving, results []json.RawMessage, err error, stopped stop) error {
	switch {
	case err == nil:
		return writeResult(s.Out, o.output, results)
	case stopped == interrupted:
		return exit(exitInterrupted, ended("interrupted", err))
	case stopped == timedOut:
		return exit(exitCancelled, ended(fmt.Sprintf("timed out after %s", o.timeout), err))
	case errors.Is(err, flowlua.ErrCancelled):
		return exit(exitCancelled, errors.New(failureText(err)))
	}
	return exit(exitFailed, errors.New(failureText(err)))
}

// ended tells how a run that was asked to stop did so, if that is not what one would expect.
func ended(why string, err error) error {
	if errors.Is(err, flowlua.ErrCancelled) {
		return errors.New(why)
	}
	return errors.New(why + ", and then it failed: " + failureText(err))
}

// writeResult puts the result of a run on the standard output: as text nothing for nil, a string as it is, anything else as
// JSON; as JSON always one value. Several results are a line each, or one array.
func writeResult(w io.Writer, format string, results []json.RawMessage) error {
	if format == "json" {
		switch len(results) {
		case 0:
			results = []json.RawMessage{json.RawMessage("null")}
			fallthrough
		case 1:
			_, err := fmt.Fprintf(w, "%s\n", results[0])
			return err
		}
		text, err := json.Marshal(results)
		if err == nil {
			_, err = fmt.Fprintf(w, "%s\n", text)
		}
		return err
	}
	if len(results) == 1 && string(results[0]) == "null" {
		return nil
	}
	for _, result := range results {
		if _, err := fmt.Fprintln(w, resultText(result)); err != nil {
			return err
		}
	}
	return nil
}

// resultText is a JSON value for people: on one line if that is short.
func resultText(value json.RawMessage) string {
	const short = 100
	var text string
	switch {
	case string(value) == "null":
		return "nil"
	case value[0] == '"' && json.Unmarshal(value, &text) == nil:
		return text
	}
	var long bytes.Buffer
	if len(value) <= short || json.Indent(&long, value, "", "  ") != nil {
		return string(value)
	}
	return long.String()
}

// failureText is the error of a run with its logical stack, and those that caused it.
func failureText(err error) string {
	var failed *flowlua.Error
	if !errors.As(err, &failed) {
		return operate.Flagged(err.Error())
	}
	var b strings.Builder
	b.WriteString(failed.Error())
	for ; failed != nil; failed = failed.Cause {
		for _, frame := range failed.Stack {
			b.WriteString("\n  " + frame)
		}
		if failed.Cause != nil {
			b.WriteString("\ncaused by " + failed.Cause.Error())
		}
	}
	return operate.Flagged(b.String())
}
