// Package operate is the work of the operator's commands: list, show, tree, stack, signal, query, cancel, terminate, replay,
// upgrade, export, import, delete and db check. It reads a store of runs and sends to them; only an engine drives them, and ends
// what nobody drives. What
// looks into a run rebuilds it from its history, in this process, and changes nothing.
package operate

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// Format of the answers.
type Format string

// Text is for people. JSON is one document, JSONL one for each line: of lists and events.
const (
	Text  Format = "text"
	JSON  Format = "json"
	JSONL Format = "jsonl"
)

// Console is where an operator stands: a store of runs, and where the answers go.
type Console struct {
	Store  history.Store
	Out    io.Writer        // the answers
	Err    io.Writer        // remarks on them
	Now    func() time.Time // nil: time.Now
	Format Format           // "": Text
	Width  int              // columns there are; 0: no limit
	Height int              // rows for a tree; 0: no limit
	Color  bool
	Flags  string // what the commands that are proposed need besides, such as " --db runs.db"

	programs map[string]*workflow.Program // that were loaded, by hash
}

func (c *Console) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}

// say writes a line of an answer.
func (c *Console) say(format string, args ...any) error {
	_, err := fmt.Fprintf(c.Out, format+"\n", args...)
	return err
}

// remark writes a line that is no part of an answer.
func (c *Console) remark(format string, args ...any) {
	if c.Err != nil {
		fmt.Fprintf(c.Err, format+"\n", args...)
	}
}

// document writes a JSON document: indented, or a line if the format has lines.
func (c *Console) document(v any) error {
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	if c.Format != JSONL {
		e.SetIndent("", "  ")
	}
	return e.Encode(v)
}

// Command is a command to try, as it is typed.
func (c *Console) Command(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = ShellWord(w)
	}
	return "flowlua " + strings.Join(quoted, " ") + c.Flags
}

// ShellWord quotes what a shell would take apart.
func ShellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+=,", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Misuse is the error of a command that was called in the wrong way.
type Misuse struct{ text string }

func (m *Misuse) Error() string { return m.text }

func misuse(format string, args ...any) error { return &Misuse{fmt.Sprintf(format, args...)} }
