package lint

import (
	"slices"
	"strings"

	"github.com/flowlua/flowlua/stdlib"
)

// suggest is " (did you mean 'x'?)", the same for the same candidates in any order.
func suggest(name string, candidates []string) string {
	if len(name) < 2 {
		return "" // everything is near to a letter
	}
	slices.Sort(candidates)
	return stdlib.Suggest(name, candidates)
}

// cut splits "os.execute" into "os" and "execute".
func cut(name string) (library, function string, dotted bool) { return strings.Cut(name, ".") }
