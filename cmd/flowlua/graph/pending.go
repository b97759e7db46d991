package graph

import (
	"fmt"
	"strings"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/history"
)

// waiting is something that an open run waits for.
type waiting struct {
	what string // the thing
	why  string // how far it is
	at   string // where the script waits
	code string // the line there
}

// mostWaiting is how many are told.
const mostWaiting = 30

// pending lists what an open run waits for: what it has begun outside, and the signals that its branches wait for.
func pending(p *operate.Picture) []waiting {
	if p.Status != history.Open {
		return nil
	}
	where := map[string]*operate.Waiting{}
	for i := range p.Waiting {
		for _, op := range p.Waiting[i].For {
			where[op] = &p.Waiting[i]
		}
	}
	var list []waiting
	add := func(w waiting, branch *operate.Waiting) {
		if branch != nil {
			for _, f := range branch.Stack {
				if f.Source != "" {
					w.at, w.code = fmt.Sprintf("%s:%d", f.Source, f.Line), f.Code
					break
				}
			}
		}
		list = append(list, w)
	}
	for i := range p.Pending {
		one := &p.Pending[i]
		add(waiting{what: strings.TrimSpace(one.Kind + " " + one.Name), why: progressOf(one, p.At)}, where[one.Op])
	}
	for i := range p.Waiting {
		w := &p.Waiting[i]
		if strings.Contains(w.Waits, "signal") {
			add(waiting{what: strings.TrimPrefix(w.Waits, "for "), why: ""}, w)
		}
	}
	if len(list) > mostWaiting {
		more := len(list) - mostWaiting
		list = append(list[:mostWaiting], waiting{what: fmt.Sprintf("and %s more", thousands(more))})
	}
	return list
}

func progressOf(one *operate.Pending, now time.Time) string {
	var parts []string
	if !one.Due.IsZero() {
		parts = append(parts, "due in "+clock(max(0, one.Due.Sub(now))))
	} else {
		parts = append(parts, "for "+clock(max(0, now.Sub(one.Began))))
	}
	if a := one.Attempt; a != nil {
		text := fmt.Sprintf("attempt %d", a.Number)
		if one.MaxAttempts > 0 {
			text += fmt.Sprintf(" of %d", one.MaxAttempts)
		}
		if a.Failure != nil {
			text += ", failed with " + a.Failure.Name
			if a.Failure.Message != "" {
				text += ": " + short(plain(a.Failure.Message), 120)
			}
		}
		parts = append(parts, text)
	}
	if one.CancelRequested {
		parts = append(parts, "asked to stop")
	}
	return strings.Join(parts, ", ")
}
