package lint

import (
	"fmt"
	"slices"
	"strings"
)

// suggest is " (did you mean 'x'?)" with the candidate nearest to a misspelt name, or "" when none is near.
func suggest(name string, candidates []string) string {
	best, limit := "", len(name)/3+1
	slices.Sort(candidates)
	for _, candidate := range candidates {
		if d := distance(strings.ToLower(name), strings.ToLower(candidate)); d <= limit && d < len(name) && candidate != name {
			best, limit = candidate, d-1
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean '%s'?)", best)
}

// distance counts the edits between two words; two neighbours swapped count as one.
func distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// cut splits "os.execute" into "os" and "execute".
func cut(name string) (library, function string, dotted bool) { return strings.Cut(name, ".") }
