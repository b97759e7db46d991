package operate

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/flowlua/flowlua/history"
)

// values takes the payload of an event apart.
func values(payload json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if len(payload) > 0 && json.Unmarshal(payload, &list) != nil {
		return []json.RawMessage{payload}
	}
	return list
}

// line is a payload on one line: its values, separated by commas.
func line(payload json.RawMessage) string {
	var parts []string
	for _, v := range values(payload) {
		parts = append(parts, string(v))
	}
	return strings.Join(parts, ", ")
}

// valueText is a value for people: a text as it is, anything else as JSON, on several lines if it is long.
func valueText(value json.RawMessage) string {
	const short = 60
	var text string
	switch {
	case string(value) == "null":
		return "nil"
	case len(value) > 0 && value[0] == '"' && json.Unmarshal(value, &text) == nil:
		return text
	}
	var long bytes.Buffer
	if len(value) <= short || json.Indent(&long, value, "", "  ") != nil {
		return string(value)
	}
	return long.String()
}

// failureLine is an error on one line.
func failureLine(f *history.Failure) string {
	switch {
	case f == nil:
		return ""
	case f.Message == "":
		return f.Name
	}
	return clean(f.Name + ": " + Flagged(f.Message))
}

// failureText is an error with its logical stack, and those that caused it.
func failureText(f *history.Failure) string {
	var b strings.Builder
	for first := true; f != nil; f, first = f.Cause, false {
		if !first {
			b.WriteString("\ncaused by ")
		}
		b.WriteString(f.Name)
		if f.Message != "" {
			b.WriteString(": " + f.Message)
		}
		for _, frame := range f.Trace {
			b.WriteString("\n  " + frame)
		}
	}
	return Flagged(b.String())
}
