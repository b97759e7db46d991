package progress

import (
	"regexp"
	"strings"
)

var (
	firstOf = regexp.MustCompile(`^for the first of \[(.*)\]$`)
	counted = regexp.MustCompile(`(^|[ \[])\d+:`)
	zeros   = regexp.MustCompile(`\b(\d+h)0m0s\b|\b((?:\d+h)?\d+m)0s\b`)
	quotes  = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
)

// WaitText is what the scheduler says of a wait, in easier words: for signal 'approve' or 3h0m0s.
func WaitText(text string) string {
	if m := firstOf.FindStringSubmatch(text); m != nil {
		parts := counted.Split(m[1], -1)
		if len(parts) > 1 {
			for i := range parts {
				parts[i] = strings.TrimSpace(parts[i])
			}
			text = "for " + strings.Join(parts[1:], " or ")
		}
	}
	return zeros.ReplaceAllString(quotes.ReplaceAllString(text, "$1"), "$1$2")
}
