package operate

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/workflow"
)

// Pending is something outside of a run that the run has begun and that is not over.
type Pending struct {
	Op              string            `json:"op"`
	Kind            string            `json:"kind"` // activity, timer, workflow, signal
	Name            string            `json:"name,omitempty"`
	Arguments       []json.RawMessage `json:"arguments,omitempty"`
	Began           time.Time         `json:"began"`
	Due             time.Time         `json:"due,omitzero"`               // of a timer
	Run             string            `json:"run,omitempty"`              // the child's ID, or whom a signal is sent to
	CancelRequested bool              `json:"cancel_requested,omitempty"` // it was asked to stop
	MaxAttempts     int               `json:"max_attempts,omitempty"`     // of a declared retry, 0: no limit
	Attempt         *history.Attempt  `json:"attempt,omitempty"`          // missing: it was never in trouble

	own string // the ID that a child has if it is not given one
}

// pending lists what the log of a run says is open.
func (c *Console) pending(ctx context.Context, run *history.Run, log *workflow.Log) ([]Pending, error) {
	if run.Status != history.Open {
		return nil, nil
	}
	attempts, err := c.Store.Attempts(ctx, run.Ref)
	if err != nil {
		return nil, err
	}
	byOp := make(map[string]*history.Attempt, len(attempts))
	for i := range attempts {
		byOp[attempts[i].Op] = &attempts[i]
	}
	var list []Pending
	for _, open := range log.Open() {
		ev := &open.Event
		p := Pending{Op: ev.Op, Kind: kindOf(ev.Kind), Name: ev.Name, Arguments: values(ev.Payload), Began: open.Began, Due: ev.At, Run: ev.Run,
			CancelRequested: open.CancelRequested, Attempt: byOp[ev.Op], own: run.ID + ev.Op}
		if ev.Child != nil {
			p.Run = ev.Child.ID
		}
		if ev.Activity != nil && ev.Activity.Retry != nil {
			p.MaxAttempts = ev.Activity.Retry.MaxAttempts
		}
		list = append(list, p)
	}
	return list, nil
}

func kindOf(k history.Kind) string {
	switch k {
	case history.ActivityScheduled:
		return "activity"
	case history.TimerStarted:
		return "timer"
	case history.ChildStarted:
		return "workflow"
	case history.SignalSent:
		return "signal"
	}
	return k.String()
}

// title is a call as it would be written.
func (p *Pending) title() string {
	switch p.Kind {
	case "timer":
		return "timer of " + stdlib.FormatDuration(p.Due.Sub(p.Began))
	case "signal":
		return fmt.Sprintf("signal %s to %s", p.Name, p.Run)
	}
	const room = 20
	var args []string
	for _, a := range p.Arguments {
		args = append(args, string(a))
	}
	return p.Name + "(" + progress.Fit(clean(strings.Join(args, ", ")), room) + ")"
}

// detail is how far it is.
func (p *Pending) detail(now time.Time) string {
	var parts []string
	if p.CancelRequested {
		parts = append(parts, "asked to stop")
	}
	if p.Attempt != nil {
		parts = append(parts, p.attempt(now))
	}
	if p.Kind == "workflow" && p.Run != p.own {
		parts = append(parts, "run "+p.Run)
	}
	if p.Kind == "timer" {
		parts = append(parts, "due "+ago(now, p.Due))
	} else {
		parts = append(parts, "began "+ago(now, p.Began))
	}
	return strings.Join(parts, ", ")
}

// trouble is what is known of an attempt before: how it failed, and its last heartbeat.
func (p *Pending) trouble(now time.Time) string {
	var parts []string
	if p.Attempt == nil {
		return ""
	}
	if p.Attempt.Failure != nil {
		parts = append(parts, failureLine(p.Attempt.Failure))
	}
	if len(p.Attempt.Details) > 0 {
		text := "heartbeat " + progress.Fit(clean(string(p.Attempt.Details)), 60)
		if !p.Attempt.Heard.IsZero() {
			text += " " + ago(now, p.Attempt.Heard)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// rows are the lines of a table about it.
func (p *Pending) rows(now time.Time) [][]string {
	kind := p.Kind + " "
	if p.Kind == "timer" || p.Kind == "signal" {
		kind = ""
	}
	rows := [][]string{{p.Op, kind + p.title(), p.detail(now)}}
	if text := p.trouble(now); text != "" {
		rows = append(rows, []string{"", "  " + text})
	}
	return rows
}

// attempt says which attempt is under way or comes next. Those that the end of a process has cut off do not
// count: the attempt is begun again.
func (p *Pending) attempt(now time.Time) string {
	a := p.Attempt
	text := fmt.Sprintf("attempt %d", a.Failures+1)
	if p.MaxAttempts > 0 {
		text += fmt.Sprintf(" of %d", p.MaxAttempts)
	}
	switch times := a.Number - a.Failures; {
	case a.Next.After(now):
		text += " " + ago(now, a.Next)
	case pausing(a):
		text += " now"
	case times > 1:
		text += fmt.Sprintf(", begun %d times", times)
	}
	return text
}

// pausing reports whether the last attempt has failed and the next has not begun.
func pausing(a *history.Attempt) bool { return !a.Next.IsZero() }
