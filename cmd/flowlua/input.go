package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// readInput is the workflow's input: JSON text, @FILE or - for the standard input. Whatever it is, it is one value: an array
// is one argument too. No input is none.
func readInput(flag string, given bool, in io.Reader) (json.RawMessage, error) {
	if !given {
		return nil, nil
	}
	text, source := []byte(flag), "--input"
	var err error
	switch {
	case flag == "-":
		source = "standard input"
		text, err = io.ReadAll(in)
	case strings.HasPrefix(flag, "@"):
		source = flag[1:]
		text, err = os.ReadFile(source)
	}
	if err != nil {
		return nil, usage("--input: %w", err)
	}
	if problem := jsonProblem(text); problem != "" {
		hint := ""
		if source == "--input" {
			hint = fmt.Sprintf("\nA text is written with its quotes: --input '\"%s\"'. A file is --input @FILE.", strings.ReplaceAll(flag, `"`, ""))
		}
		return nil, usage("%s is not JSON: %s%s", source, problem, hint)
	}
	return json.RawMessage(text), nil
}

// jsonProblem says where and why a text is not one JSON value, "" if it is.
func jsonProblem(text []byte) string {
	var value json.RawMessage
	decoder := json.NewDecoder(bytes.NewReader(text))
	err := decoder.Decode(&value)
	offset := int(decoder.InputOffset())
	if err == nil {
		rest := bytes.TrimLeft(text[offset:], " \t\r\n")
		if len(rest) == 0 {
			return ""
		}
		err, offset = errors.New("one value expected, more follows"), len(text)-len(rest)
	}
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		offset = max(0, int(syntax.Offset)-1)
	case errors.Is(err, io.EOF):
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF):
		err, offset = errors.New("it ends too early"), len(text)
	}
	before := text[:min(offset, len(text))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Sprintf("line %d, column %d: %s", line, column, err)
}
