package progress

import "slices"

// fold chooses the rows for at most limit lines. Steps are hidden, with everything below them, in the order of least
// interest: what is done, what was cancelled, what has not begun. The hidden steps of one parent share a line that counts them.
func fold(root *Step, limit int) []row {
	root.settle()
	rows := layout(root, hiding{})
	for _, hide := range []hiding{
		{states: []State{Done}, leaves: true, least: 4},
		{states: []State{Done}, leaves: true, least: 2},
		{states: []State{Done}, least: 2},
		{states: []State{Done, Cancelled}, least: 2},
		{states: []State{Done, Cancelled, Waiting}, least: 2},
	} {
		if len(rows) <= limit {
			return rows
		}
		rows = layout(root, hide)
	}
	if len(rows) <= limit {
		return rows
	}
	// Still too many: the last line counts the rest.
	rest := rows[limit-1:]
	last := row{indent: rest[0].indent}
	for _, r := range rest {
		if r.step != nil {
			last.folded = append(last.folded, r.step)
		}
		last.folded = append(last.folded, r.folded...)
	}
	return append(rows[:limit-1:limit-1], last)
}

// hiding is what may be hidden: steps that are, like all below them, in one of the states.
type hiding struct {
	states []State
	leaves bool // only those with nothing below them
	least  int  // steps of one parent; fewer are shown
}

func (h hiding) of(children []*Step) (hidden []*Step) {
	for _, c := range children {
		if c.quiet(h.states) && (!h.leaves || len(c.children) == 0) {
			hidden = append(hidden, c)
		}
	}
	if len(hidden) < h.least {
		return nil
	}
	return hidden
}

// quiet reports whether the step and everything below it is in one of the states; that a branch ended says no more than
// what is below it.
func (s *Step) quiet(states []State) bool {
	return (s.State == Ended || slices.Contains(states, s.State)) && !slices.ContainsFunc(s.children, func(c *Step) bool { return !c.quiet(states) })
}

// layout lists the rows of a tree.
func layout(root *Step, hide hiding) []row {
	rows := []row{{step: root}}
	var below func(s *Step, indent string)
	below = func(s *Step, indent string) {
		children := make([]*Step, len(s.children))
		for i, c := range s.children {
			children[i] = c.plain()
		}
		hidden := hide.of(children)
		gone := make(map[*Step]bool, len(hidden))
		for _, c := range hidden {
			gone[c] = true
		}
		left := len(children) - len(hidden) + min(len(hidden), 1)
		for _, c := range children {
			folded := gone[c]
			if folded && hidden == nil {
				continue // counted where the first of them was
			}
			left--
			tee, bar := "├ ", "│ "
			if left == 0 {
				tee, bar = "└ ", "  "
			}
			if folded {
				rows = append(rows, row{indent: indent + tee, folded: hidden})
				hidden = nil
				continue
			}
			rows = append(rows, row{step: c, indent: indent + tee})
			below(c, indent+bar)
		}
	}
	below(root, "")
	return rows
}
