package progress

import (
	"fmt"
	"strings"
	"time"

	"github.com/flowlua/flowlua/history"
)

// PastLines tell of the attempts of an activity that took more than one, with times since the start. Where some are left out, a line
// says so.
func PastLines(past history.Past, start time.Time) []string {
	var lines []string
	before := 0
	for i := range past {
		a := &past[i]
		if left := a.Number - before - 1; left > 0 {
			lines = append(lines, fmt.Sprintf("… %d more", left))
		}
		before = a.Number
		lines = append(lines, fmt.Sprintf("attempt %d  %s", a.Number, PastText(a, start)))
	}
	return lines
}

// AfterAttempts says how many there were.
func AfterAttempts(past history.Past) string {
	if n := past[len(past)-1].Number; n > 1 {
		return fmt.Sprintf("after %d attempts", n)
	}
	return "after 1 attempt" // and in the pause behind it
}

// PastText says when an attempt was made and what came of it.
func PastText(a *history.PastAttempt, start time.Time) string {
	since := func(t time.Time) string { return fmt.Sprintf("%.3fs", t.Sub(start).Seconds()) }
	switch {
	case a.Lost() && a.Began.IsZero():
		return "may have begun, and done its work, before its process died"
	case a.Lost():
		return "from " + since(a.Began) + "  its process died: its work may have been done"
	}
	text := since(a.Began) + " to " + since(a.Ended)
	if a.Failure != nil {
		text += "  " + strings.Map(printable, failure(a.Failure))
	}
	return text
}

// lost says of which attempts nobody knows whether they did their work, "" if of none.
func lost(past history.Past) string {
	var numbers []string
	for i := range past {
		if past[i].Lost() {
			numbers = append(numbers, fmt.Sprint(past[i].Number))
		}
	}
	switch len(numbers) {
	case 0:
		return ""
	case 1:
		return "attempt " + numbers[0] + " was lost with its process: its work may have been done"
	}
	return "attempts " + strings.Join(numbers, ", ") + " were lost with their processes: their work may have been done"
}
