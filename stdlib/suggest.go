package stdlib

import "fmt"

// Suggest names the known word nearest to what was written, as the end of an error message: " (did you mean
// 'max_attempts'?)", or nothing when none is near. Of several that are equally near it is the first.
func Suggest(written string, known []string) string {
	best, distance := "", max(2, len(written)/3)+1
	for _, word := range known {
		if d := editDistance(written, word); d < min(distance, max(len(written), len(word))) {
			best, distance = word, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean '%s'?)", best)
}

// editDistance counts the letters to insert, remove, replace or swap with their neighbour to turn one word into the other.
func editDistance(a, b string) int {
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
