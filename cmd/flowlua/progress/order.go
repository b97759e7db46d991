package progress

import (
	"cmp"
	"slices"
)

// Sort puts the steps in the order of their places: a step that was noticed late may have begun early.
func (b *Board) Sort() {
	for _, s := range b.steps {
		slices.SortStableFunc(s.children, func(x, y *Step) int { return comparePaths(x.Path, y.Path) })
	}
}

// comparePaths compares numbers as numbers, and puts what was begun inside before what was attached from outside.
func comparePaths(a, b string) int {
	for a != "" && b != "" {
		n, m := digits(a), digits(b)
		if n > 0 && m > 0 {
			if d := cmp.Or(cmp.Compare(n, m), cmp.Compare(a[:n], b[:m])); d != 0 {
				return d
			}
			a, b = a[n:], b[m:]
			continue
		}
		if d := cmp.Compare(a[0], b[0]); d != 0 {
			return d
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits counts those that a text begins with.
func digits(text string) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}
