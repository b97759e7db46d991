package operate

import (
	"slices"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/scheduler"
)

// Waiting is a branch that waits.
type Waiting struct {
	Branch string   `json:"branch"` // its place in the execution tree; "" is the root
	Name   string   `json:"name"`   // the function it runs, by its place in the script
	Kind   string   `json:"kind"`   // branch; activity and the like for a call that waits for its arguments
	State  string   `json:"state"`
	Waits  string   `json:"waits"` // what for, in words
	For    []string `json:"for"`   // the places of what would end the wait, as far as that is in the tree
	Stack  []Frame  `json:"stack"` // where it stands, and by which way it came to be

	within bool // it waits for what else is in the list, not for the outside
}

// Frame is one line of a logical stack.
type Frame struct {
	Source   string `json:"source,omitempty"` // "" for the separator between what was started and where that was
	Line     int    `json:"line,omitempty"`
	Function string `json:"function,omitempty"`
	Code     string `json:"code,omitempty"` // the line itself
}

// waits lists what waits in a run, in the order of creation.
func (r *rebuilt) waits() []Waiting {
	list := []Waiting{}
	kinds := map[string]string{}
	var walk func([]scheduler.Node)
	walk = func(nodes []scheduler.Node) {
		for _, n := range nodes {
			if n.Path != "" {
				kinds[n.Path] = n.Kind
			}
			if n.Waiting != "" && n.Kind != "scope" {
				list = append(list, Waiting{Branch: n.Path, Name: n.Name, Kind: n.Kind, State: n.State, Waits: progress.WaitText(n.Waiting), For: n.For})
			}
			walk(n.Children)
		}
	}
	walk(r.Dump())
	for i := range list {
		w := &list[i]
		w.within = len(w.For) > 0 && !slices.ContainsFunc(w.For, func(op string) bool { return kinds[op] != "branch" && kinds[op] != "scope" })
		if w.For == nil {
			w.For = []string{}
		}
		w.Stack = r.frames(r.Trace(w.Branch))
	}
	return list
}

// frames are those of the script, with the text of their lines.
func (r *rebuilt) frames(trace []scheduler.Frame) []Frame {
	frames := []Frame{}
	for _, f := range trace {
		switch {
		case f.Source == "[C]":
			continue
		case f.Source == "":
			frames = append(frames, Frame{Function: f.Function})
			continue
		}
		frames = append(frames, Frame{f.Source, f.Line, f.Function, r.code(f.Source, f.Line)})
	}
	return frames
}

// code is a line of the script.
func (r *rebuilt) code(file string, line int) string {
	text, first := r.program.Sources().Files[file], 1
	for _, chunk := range r.Chunks() { // of a session
		if chunk.Name == file && line >= chunk.Line {
			text, first = chunk.Source, chunk.Line
		}
	}
	lines := strings.Split(text, "\n")
	if i := line - first; i >= 0 && i < len(lines) {
		return strings.TrimSpace(lines[i])
	}
	return ""
}
