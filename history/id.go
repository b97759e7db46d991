package history

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// LongestID is how many bytes the ID may have that is chosen for a run.
const LongestID = 255

// inPlace is how the IDs end that runs are given which another run has started: its ID and the place of the call in its tree.
var inPlace = regexp.MustCompile(`/\d+(\*\d+)?$`)

// CheckID says what is wrong with an ID that is chosen for a run: a command line must be able to name it and nothing else by it.
// It is not for the IDs that children get by their place.
func CheckID(id string) error {
	problem := func(format string, args ...any) error {
		return fmt.Errorf("the ID %.100q cannot name a run: %s", id, fmt.Sprintf(format, args...))
	}
	switch {
	case id == "":
		return fmt.Errorf("an empty ID cannot name a run: expected a text such as order-7")
	case len(id) > LongestID:
		return problem("it has %d bytes, expected at most %d", len(id), LongestID)
	case !utf8.ValidString(id):
		return problem("it is not UTF-8")
	case id[0] == '@':
		return problem("what begins with @ stands for other runs, as @last does")
	case id[0] == '-':
		return problem("what begins with - is a flag of a command")
	case strings.ContainsRune(id, '#'):
		return problem("ID#2 is the second of the runs that continue each other as ID; expected no #")
	case strings.TrimSpace(id) != id:
		return problem("expected no spaces at its beginning and end")
	case inPlace.MatchString(id):
		return problem("the IDs end in %s that children get by their place; expected something else after the /", inPlace.FindString(id))
	}
	for _, r := range id {
		if !unicode.IsPrint(r) {
			return problem("it contains %U, which cannot be seen; expected letters, digits and signs", r)
		}
	}
	return nil
}
