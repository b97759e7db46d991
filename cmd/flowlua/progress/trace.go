package progress

import (
	"fmt"
	"strings"
	"time"

	"github.com/flowlua/flowlua/history"
)

// Trace writes a turn for people who want to see everything: what happened (←) and what the run decided (→), with times
// relative to the start.
func Trace(run history.Ref, turn history.Turn, start time.Time) []string {
	var lines []string
	head := fmt.Sprintf("%8.3fs  turn %d", turn.Time.Sub(start).Seconds(), turn.Seq)
	for i := range turn.Events {
		lines = append(lines, head+"  ← "+Sentence(&turn.Events[i], turn.Time))
	}
	for i := range turn.Decisions {
		lines = append(lines, head+"  → "+Sentence(&turn.Decisions[i], turn.Time))
	}
	return lines
}

// Sentence is an event or a decision on one line.
func Sentence(ev *history.Event, now time.Time) string {
	parts := []string{ev.Kind.String(), ev.Op, ev.Name, ev.Run}
	if !ev.At.IsZero() {
		parts = append(parts, "in "+Duration(ev.At.Sub(now)))
	}
	if len(ev.Payload) > 0 {
		text := string(ev.Payload)
		if Cells(text) > 120 {
			text = cut(text, 119) + "…"
		}
		parts = append(parts, text)
	}
	if ev.Failure != nil {
		parts = append(parts, failure(ev.Failure))
	}
	if len(ev.Attempts) > 0 {
		parts = append(parts, AfterAttempts(ev.Attempts))
	}
	words := parts[:0]
	for _, part := range parts {
		if part != "" {
			words = append(words, strings.Map(printable, part))
		}
	}
	return strings.Join(words, " ")
}

// Trace is the line of an attempt.
func (a Attempt) Trace(start time.Time) string {
	text := fmt.Sprintf("%8.3fs  attempt %d of %s ", a.At.Sub(start).Seconds(), a.Number, a.Op)
	switch {
	case a.Failure == nil:
		return text + "started"
	case a.Again.IsZero():
		return text + "failed: " + failure(a.Failure)
	}
	return text + "failed, again in " + Duration(a.Again.Sub(a.At).Round(time.Millisecond)) + ": " + failure(a.Failure)
}
