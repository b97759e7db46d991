package progress

import "slices"

// fold chooses the rows for at most limit lines. Steps are hidden, with everything below them, in the order of least
// interest: what is done, what was cancelled, what has not begun. Hidden neighbours share one line that counts them.
func fold(root *Step, limit int) []row {
	rows := layout(root, func(*Step) bool { return false })
	for _, hidden := range []func(*Step) bool{
		func(s *Step) bool { return s.quiet(Done) },
		func(s *Step) bool { return s.quiet(Done, Cancelled) },
		func(s *Step) bool { return s.quiet(Done, Cancelled, Waiting) },
	} {
		if len(rows) <= limit {
			return rows
		}
		rows = layout(root, hidden)
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

// quiet reports whether the step and everything below it is in one of the states.
func (s *Step) quiet(states ...State) bool {
	return slices.Contains(states, s.State) && !slices.ContainsFunc(s.children, func(c *Step) bool { return !c.quiet(states...) })
}

// layout lists the rows of a tree.
func layout(root *Step, hidden func(*Step) bool) []row {
	root.settle()
	rows := []row{{step: root}}
	var below func(s *Step, indent string)
	below = func(s *Step, indent string) {
		children := make([]*Step, len(s.children))
		for i, c := range s.children {
			children[i] = c.plain()
		}
		for i := 0; i < len(children); {
			n := 0
			for i+n < len(children) && hidden(children[i+n]) {
				n++
			}
			last := i+max(n, 1) == len(children)
			tee, bar := "├ ", "│ "
			if last {
				tee, bar = "└ ", "  "
			}
			switch {
			case n > 1:
				rows = append(rows, row{indent: indent + tee, folded: children[i : i+n]})
			default:
				rows = append(rows, row{step: children[i], indent: indent + tee})
				if n == 0 {
					below(children[i], indent+bar)
				}
			}
			i += max(n, 1)
		}
	}
	below(root, "")
	return rows
}
