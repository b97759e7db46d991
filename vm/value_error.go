package vm

import (
	"fmt"
	"strconv"
)

// ValueError says which part of a value cannot leave the run and why.
type ValueError struct {
	Path    string // as it would be written in Lua: input.items[3].callback
	Problem string // what it is, and what to do instead
}

func (e *ValueError) Error() string { return e.Path + ": " + e.Problem }

// under puts a step in front of the path, as the error leaves the table that the step leads into.
func (e *ValueError) under(step string) {
	// A deep path says no more than its two ends.
	if len(e.Path) > 500 {
		e.Path = "…" + e.Path[len(e.Path)-400:]
	}
	e.Path = step + e.Path
}

func problem(format string, args ...any) *ValueError {
	return &ValueError{Problem: fmt.Sprintf(format, args...)}
}

func indexStep(i int) string { return "[" + strconv.Itoa(i) + "]" }

func keyStep(key string) string {
	if isName(key) {
		return "." + key
	}
	return "[" + quoted(key) + "]"
}

// quoted is text for a message: one line, not long.
func quoted(s string) string {
	if len(s) > 60 {
		s = s[:57] + "..."
	}
	return strconv.Quote(s)
}

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 60
}
