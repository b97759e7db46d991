package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

// node is a part of the tree as it is drawn.
type node struct {
	operate.Branch
	children []*node
	folded   int // how many parts of the tree it stands for; 0: it is one itself
}

// limits of what is drawn. What is beyond them is folded, and the drawing says so.
type limits struct {
	siblings int // under one part
	all      int
}

// inTime puts siblings in the order in which they began; what has not begun comes last.
func inTime(list []operate.Branch) []operate.Branch {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b operate.Branch) int {
		switch {
		case a.Began.IsZero() && b.Began.IsZero():
			return 0
		case a.Began.IsZero():
			return 1
		case b.Began.IsZero():
			return -1
		}
		return a.Began.Compare(b.Began)
	})
	return list
}

// tree is what is drawn of a run, and how many parts of its tree there are.
func tree(root operate.Branch, l limits) (drawn *node, all int) {
	drawn = &node{Branch: root}
	left := l.all - 1
	level := []*node{drawn}
	for len(level) > 0 { // breadth first, so that what is folded is deep
		var next []*node
		for _, n := range level {
			n.children = fold(inTime(n.Children), min(l.siblings, left))
			left -= len(n.children)
			for _, c := range n.children {
				if c.folded == 0 {
					next = append(next, c)
				}
			}
		}
		level = next
	}
	return drawn, size(root)
}

// fold gives at most so many nodes for siblings: the first ones, then what is open or has failed, then one for the rest.
func fold(list []operate.Branch, most int) []*node {
	if len(list) == 0 {
		return nil
	}
	if len(list) <= most {
		out := make([]*node, len(list))
		for i := range list {
			out[i] = &node{Branch: list[i]}
		}
		return out
	}
	keep := map[int]bool{}
	for i := range list {
		if len(keep) < (most-1)/2 {
			keep[i] = true
		}
	}
	for i := range list {
		if len(keep) < most-1 && list[i].State != "done" && list[i].State != "ended" {
			keep[i] = true
		}
	}
	var out []*node
	rest := &node{Branch: operate.Branch{Kind: "folded", State: "done"}}
	counts := map[string]int{}
	for i := range list {
		b := &list[i]
		if keep[i] {
			out = append(out, &node{Branch: *b})
			continue
		}
		rest.folded += size(*b)
		counts[b.State]++
		if rest.Began.IsZero() || b.Began.Before(rest.Began) {
			rest.Began = b.Began
		}
		if b.Ended.After(rest.Ended) {
			rest.Ended = b.Ended
		}
	}
	rest.State = worst(counts)
	rest.Name = fmt.Sprintf("%s more (%s)", thousands(len(list)-len(out)), tally(counts))
	return append(out, rest)
}

// states in the order in which they matter.
var states = []string{"failed", "retrying", "running", "sleeping", "waiting", "cancelled", "ended", "done"}

func worst(counts map[string]int) string {
	for _, s := range states {
		if counts[s] > 0 {
			return s
		}
	}
	return "done"
}

func tally(counts map[string]int) string {
	var parts []string
	for _, s := range slices.Backward(states) {
		if counts[s] > 0 {
			parts = append(parts, thousands(counts[s])+" "+s)
		}
	}
	return strings.Join(parts, ", ")
}

func size(b operate.Branch) int {
	n := 1
	for _, c := range b.Children {
		n += size(c)
	}
	return n
}

// shown is how many parts a drawing has.
func (n *node) shown() int {
	if n.folded > 0 {
		return 0
	}
	all := 1
	for _, c := range n.children {
		all += c.shown()
	}
	return all
}

// thousands is 12345 as 12,345.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
