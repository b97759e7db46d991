package suite

import (
	"fmt"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/workflow/flowtest"
)

// explained is a failure, with the other tests that have failed in the same way: a before_each that fails has them all fail.
type explained struct {
	failed
	problem problem
	others  []string
}

func folded(all []failed) (list []*explained) {
	first := map[string]*explained{}
	for _, f := range all {
		p := f.file.problem(f.result)
		same := strings.Join(append([]string{f.file.Path, p.place, p.message, strings.Join(f.result.Printed, "\n")}, p.causes...), "\x00")
		if one := first[same]; one != nil {
			one.others = append(one.others, title(f.result))
			continue
		}
		one := &explained{failed: f, problem: p}
		first[same] = one
		list = append(list, one)
	}
	return list
}

// How much of a text is shown.
const (
	longestTitle   = 200 // characters
	longestMessage = 4000
	mostNamed      = 20 // tests
)

// title is the name of a test on one line.
func title(r *flowtest.Result) string {
	text := []rune(strings.Join(strings.Fields(progress.Visible(r.Test.Title())), " "))
	if len(text) > longestTitle {
		text = append(text[:longestTitle], '…')
	}
	return string(text)
}

func shortened(message string) string {
	if text := []rune(message); len(text) > longestMessage {
		return fmt.Sprintf("%s… (%d characters more)", string(text[:longestMessage]), len(text)-longestMessage)
	}
	return message
}
