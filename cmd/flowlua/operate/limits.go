package operate

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// LimitName is a field of vm.Limits as the flag --limit names it: CallDepth is call_depth.
func LimitName(field string) string {
	var b strings.Builder
	for i, r := range field {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

var (
	limitAdvice = regexp.MustCompile(`\bConfig\.Limits\.(\w+) allows more`)
	limitField  = regexp.MustCompile(`\b(?:Config\.)?Limits\.(\w+)`)
	limitSpent  = regexp.MustCompile(`\bits limit ([A-Z]\w*) allows(?: \((\d[\w.]*)( bytes)?)?`)
)

// Flagged is a message with the flags of the command line in the place of the fields that Go hosts set.
func Flagged(text string) string {
	text = renamed(limitAdvice, text, func(name string) string { return "--limit " + name + "=VALUE allows more" })
	text = renamed(limitField, text, func(name string) string { return "--limit " + name + "=VALUE" })
	return limitSpent.ReplaceAllStringFunc(text, func(found string) string {
		field := limitSpent.FindStringSubmatch(found)[1]
		return strings.Replace(found, "its limit "+field, "its limit "+LimitName(field), 1)
	})
}

// renamed replaces what an expression finds by what is made of the one name in it.
func renamed(expression *regexp.Regexp, text string, replace func(name string) string) string {
	return expression.ReplaceAllStringFunc(text, func(found string) string {
		return replace(LimitName(expression.FindStringSubmatch(found)[1]))
	})
}

// raised is the flag that allows a run more of what an engine error says it has used up, nil if that is about no limit.
func raised(problem string) []string {
	found := limitSpent.FindStringSubmatch(problem)
	if found == nil {
		return nil
	}
	return []string{"--limit", LimitName(found[1]) + "=" + more(found[1], found[2], found[3] != "")}
}

// byHand is more than the instructions that a turn may take on the command line if nothing else is said.
const byHand = 1e9

// more is ten times as much of a limit.
func more(limit, value string, bytes bool) string {
	const tenfold = 10
	if d, err := time.ParseDuration(value); err == nil && limit == "Turn" {
		return (tenfold * d).String()
	}
	n, err := strconv.ParseInt(value, 10, 64)
	switch {
	case err != nil:
		return "VALUE"
	case bytes && n >= 1<<20:
		return fmt.Sprintf("%dMB", tenfold*n>>20)
	case limit == "Instructions":
		return strings.Replace(strconv.FormatFloat(max(float64(tenfold*n), byHand), 'g', 3, 64), "e+0", "e", 1)
	}
	return strconv.FormatInt(tenfold*n, 10)
}
