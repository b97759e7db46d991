package repl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/repl/world"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
)

// node is something open in one of the runs. Its place is its path in the session; what is in a child follows the child's.
type node struct {
	scheduler.Node
	run   *world.Run
	place string
}

func (n node) title() string {
	name := n.Name
	if n.Kind == "branch" && strings.HasPrefix(n.Path, "@") && !strings.Contains(n.Path, "/") {
		name = oneLine(name, 40)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s", n.place, name))
}

// prefix is what stands before the paths of a run.
func (s *Session) prefix(r *world.Run) string {
	return strings.TrimPrefix(r.Ref.ID, s.world.Session().Ref.ID)
}

// nodes are all that is open, but the roots.
func (s *Session) nodes() []node {
	var list []node
	for _, r := range s.world.Runs() {
		e, err := r.Execution()
		if err != nil || r.Closed() {
			continue
		}
		var walk func([]scheduler.Node)
		walk = func(nodes []scheduler.Node) {
			for _, n := range nodes {
				if n.Path != "" {
					list = append(list, node{n, r, s.prefix(r) + n.Path})
				}
				walk(n.Children)
			}
		}
		walk(e.Dump())
	}
	return list
}

// find finds what is open by its place ("@2/1", "2/1") or by its name, if only one has that.
func (s *Session) find(text string) (node, error) {
	all := s.nodes()
	var found []node
	places := make([]string, len(all))
	for i, n := range all {
		places[i] = n.place
		if n.place == text || n.place == "@"+text || n.place == "/"+text {
			return n, nil
		}
		if n.Name == text {
			found = append(found, n)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return node{}, nothingAt(text, places, found)
}

func nothingAt(text string, places []string, found []node) error {
	if len(found) > 1 {
		places = places[:0]
		for _, n := range found {
			places = append(places, n.place)
		}
		return fmt.Errorf("several are called '%s': say which of %s", text, strings.Join(places, ", "))
	}
	if len(places) == 0 {
		return fmt.Errorf("nothing is open at '%s': nothing waits at all", text)
	}
	slices.Sort(places)
	return fmt.Errorf("nothing is open at '%s'%s; there is %s", text, stdlib.Suggest(text, places), oneLine(strings.Join(slices.Compact(places), ", "), 200))
}

// reason is why something does not go on: what it waits for, and who would bring that about.
func (s *Session) reason(place string) string {
	var at *node
	all := s.nodes()
	for i := range all {
		if all[i].place == place {
			at = &all[i]
		}
	}
	if at == nil {
		return "is over"
	}
	return s.because(at, all, 0)
}

const deepestReason = 6

func (s *Session) because(n *node, all []node, depth int) string {
	if depth == deepestReason {
		return "and so on"
	}
	for _, a := range s.world.Activities() {
		if a.Run == n.run && a.Op == n.Path {
			return s.activityReason(a)
		}
	}
	switch n.Kind {
	case "timer":
		if at, ok := s.world.Due(n.run, n.Path); ok {
			return fmt.Sprintf("is due in %s: :skip %s, :tick or :run", stdlib.FormatDuration(at.Sub(s.world.Now())), stdlib.FormatDuration(at.Sub(s.world.Now())))
		}
	}
	if s.debug != nil && n.run == s.world.Session() && s.world.Orphan(n.Path) {
		return fmt.Sprintf("is a run of its own, which is not in this copy: :complete %s JSON or :fail %s NAME MESSAGE", n.place, n.place)
	}
	if len(n.For) == 0 {
		return s.plainReason(n, all, depth)
	}
	var parts []string
	for _, path := range n.For {
		place := s.prefix(n.run) + path
		i := slices.IndexFunc(all, func(other node) bool { return other.place == place })
		if i < 0 {
			parts = append(parts, "for "+place)
			continue
		}
		other := &all[i]
		parts = append(parts, fmt.Sprintf("for %s %s, which %s", other.Kind, other.title(), s.because(other, all, depth+1)))
	}
	if strings.HasPrefix(n.Waiting, "for the first of") {
		return "waits " + strings.Join(parts, "; or ")
	}
	return "waits " + strings.Join(parts, "; and ")
}

// plainReason is for what waits for nothing in the tree.
func (s *Session) plainReason(n *node, all []node, depth int) string {
	if text, is := strings.CutPrefix(n.Waiting, `for "signal '`); is {
		name := strings.TrimSuffix(text, `'"`)
		return fmt.Sprintf("waits for signal '%s': :signal %s", name, name)
	}
	if n.Waiting != "" {
		return "waits " + n.Waiting + ", which some other code is to settle"
	}
	for i := range all { // a scope waits for what is in it
		other := &all[i]
		if other.place != n.place && strings.HasPrefix(other.place, n.place) && other.Kind != "scope" {
			return fmt.Sprintf("waits for %s %s, which %s", other.Kind, other.title(), s.because(other, all, depth+1))
		}
	}
	return "is " + strings.ToLower(n.State)
}

func (s *Session) activityReason(a *world.Activity) string {
	id := s.prefix(a.Run) + a.Op
	stop := ""
	if a.Cancelled {
		stop = ", asked to stop"
	}
	if !a.Again.IsZero() {
		why := ""
		if a.Failed != nil {
			why = " (it failed with " + failureText(a.Failed) + ")"
		}
		wait := stdlib.FormatDuration(a.Again.Sub(s.world.Now()))
		return fmt.Sprintf("is tried again in %s, attempt %d%s: :skip %s", wait, a.Attempt, why, wait)
	}
	attempt := ""
	if a.Attempt > 1 {
		attempt = fmt.Sprintf(", attempt %d", a.Attempt)
	}
	if a.Performed {
		return "is performed by its function" + attempt + stop + ": :tick or :run"
	}
	return fmt.Sprintf("waits for you%s%s: :complete %s JSON or :fail %s NAME MESSAGE", attempt, stop, id, id)
}
