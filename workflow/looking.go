package workflow

import (
	"fmt"
	"slices"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
)

// Follow makes the next turn of a log and checks it, as Replay does with each: for those who look at a run between its turns.
func (e *Execution) Follow(t *history.Turn) error { return e.follow(t) }

// Queries are the names of the queries that the run answers.
func (e *Execution) Queries() []string {
	if e.flow == nil {
		return nil
	}
	return e.flow.Queries()
}

// Expected are the signals that the script has asked for, by name.
func (e *Execution) Expected() []stdlib.Expected {
	if e.flow == nil {
		return nil
	}
	return e.flow.Expected()
}

// Finallies counts what has become of the scopes with a finally.
func (e *Execution) Finallies() []stdlib.Finally {
	if e.flow == nil {
		return nil
	}
	return e.flow.Finallies()
}

// Tree is what is open in the run, as text: one line for each thing, indented by depth.
func (e *Execution) Tree() string { return e.tree.String() }

// Waits says of each branch that waits for something outside of the tree what it is, and where in the script. Where all wait for each
// other it says that.
func Waits(nodes []scheduler.Node) []string {
	inside := map[string]bool{}
	paths(nodes, inside)
	lines := waits(nodes, inside)
	if len(lines) == 0 {
		lines = waits(nodes, nil)
	}
	return lines
}

// paths collects those of branches and scopes.
func paths(nodes []scheduler.Node, into map[string]bool) {
	for _, n := range nodes {
		if n.Kind == "branch" || n.Kind == "scope" {
			into[n.Path] = true
		}
		paths(n.Children, into)
	}
}

// waits leaves out what waits for something inside.
func waits(nodes []scheduler.Node, inside map[string]bool) (lines []string) {
	for _, n := range nodes {
		within := slices.ContainsFunc(n.For, func(path string) bool { return inside[path] })
		if n.Waiting != "" && n.Kind == "branch" && !within {
			line := n.Waiting
			if len(n.Frames) > 0 {
				line += fmt.Sprintf(" at %s:%d", n.Frames[0].Source, n.Frames[0].Line)
			}
			lines = append(lines, line)
		}
		lines = append(lines, waits(n.Children, inside)...)
	}
	return lines
}
