package explore

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
)

// step says what has happened.
func (e *explanation) step(s *Step) string {
	who := s.Name
	if s.Call != nil {
		if e.several(s.Name) {
			who += "(" + e.values(s.Call.Args) + ")"
		}
		if s.Attempt > 1 || len(s.Call.Attempts) > 1 {
			who += fmt.Sprintf(", attempt %d,", s.Attempt)
		}
		if s.Run != mainID {
			who += " of " + s.Run
		}
	}
	good := ""
	if s.ForGood {
		good = ", and so do all further attempts"
	}
	if s.Always {
		good = ", and so do all calls of it from now on"
	}
	switch s.What {
	case Starts:
		return "the run starts with " + e.values(s.Payload)
	case Continues:
		return "the next run starts with " + e.values(s.Payload)
	case Succeeds:
		return who + " succeeds: " + e.values(s.Payload) + guess(s)
	case Fails:
		return who + " fails: " + failureText(s.Failure) + good
	case Stops:
		return who + " stops, as it was asked to"
	case Hangs:
		if s.Worked {
			return who + " does its work, but nothing is heard of it" + good
		}
		return who + " hangs without doing its work" + good
	case TimesOut:
		return who + " times out: " + s.Failure.Timeout
	case Crashes:
		return fmt.Sprintf("the process crashes: %s has done its work, but that is not recorded", who)
	case Passes:
		return "a timer is due" + e.since(s)
	case Resumes:
		return s.Name + " is attempted again after its pause"
	case Arrives:
		return fmt.Sprintf("signal %s comes with %s%s", s.Name, e.values(s.Payload), guess(s))
	case Cancels:
		return "the run is asked to cancel"
	}
	return ""
}

// guess marks a value that may never come.
func guess(s *Step) string {
	if s.Guess {
		return " (a guess)"
	}
	return ""
}

// several says whether an activity is called more than once, so that its name does not tell which call is meant.
func (e *explanation) several(name string) bool {
	n := 0
	for _, c := range e.path.Calls {
		if c.Name == name {
			n++
		}
	}
	return n > 1
}

func (e *explanation) since(s *Step) string {
	if place := e.places[s.Run+s.Op]; place != "" {
		return ", started at " + place
	}
	return ""
}

// consequences are what the engine does by itself.
func (e *explanation) consequences(s *Step) []string {
	switch s.What {
	case Crashes:
		return []string{"the run is rebuilt by replay; what was under way is attempted again"}
	case Fails, TimesOut:
		if s.Again >= 0 {
			return []string{fmt.Sprintf("it is to be attempted again in %v", s.Again)}
		}
	}
	return nil
}

// decision is what a run decided, with the place in the script.
func (e *explanation) decision(run string, d *history.Event) (text, place string) {
	place = e.places[run+d.Op]
	switch d.Kind {
	case history.ActivityScheduled:
		text = fmt.Sprintf("calls %s(%s)", d.Name, e.values(d.Payload))
	case history.ActivityCancelRequested:
		text = fmt.Sprintf("asks %s to stop", d.Name)
	case history.TimerStarted:
		text = "starts a timer, due at " + stdlib.FormatDuration(d.At.Sub(epoch))
	case history.TimerCancelled:
		text = "drops a timer"
	case history.ChildStarted:
		text = fmt.Sprintf("starts child workflow %s(%s)", d.Name, e.values(d.Payload))
	case history.ChildCancelRequested:
		text = fmt.Sprintf("cancels child workflow %s", d.Name)
	case history.SignalSent:
		text = fmt.Sprintf("sends signal %s(%s) to %s", d.Name, e.values(d.Payload), d.Run)
	case history.StatusSet:
		text = "has the status " + e.values(d.Payload)
	case history.RunCompleted:
		text = "completes with " + e.values(d.Payload)
	case history.RunFailed:
		text, place = "fails: "+failureText(d.Failure), tracePlace(d.Failure)
	case history.RunCancelled:
		text = "ends as cancelled"
	case history.RunContinued:
		text = "continues as new with " + e.values(d.Payload)
	}
	if text != "" && run != mainID {
		text = run + " " + text
	}
	return text, place
}

// tracePlace is the innermost line of the script in the trace of a failure.
func tracePlace(f *history.Failure) string {
	for ; f != nil; f = f.Cause {
		for _, frame := range f.Trace {
			if place, ok := strings.CutPrefix(frame, "at "); ok {
				place, _, _ = strings.Cut(place, " in ")
				return place
			}
		}
	}
	return ""
}

// longest is how much of a value is shown.
const longest = 72

// values is a payload.
func (e *explanation) values(payload json.RawMessage) string {
	var list []json.RawMessage
	if json.Unmarshal(payload, &list) != nil {
		return string(payload)
	}
	if len(list) == 0 {
		return "nothing"
	}
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = short(v, longest/len(list))
	}
	return strings.Join(parts, ", ")
}

// short is a value in about n characters: of a long object its id, of anything else the beginning.
func short(v json.RawMessage, n int) string {
	var object struct {
		ID json.RawMessage `json:"id"`
	}
	switch {
	case string(v) == "null":
		return "nil"
	case len(v) <= n:
		return string(v)
	case v[0] == '{' && json.Unmarshal(v, &object) == nil && len(object.ID) > 0 && len(object.ID) <= n:
		return `{"id":` + string(object.ID) + `, …}`
	}
	return strings.ToValidUTF8(string(v[:n]), "") + "…"
}

func failureText(f *history.Failure) string {
	switch {
	case f == nil:
		return "no error"
	case f.Message == "":
		return f.Name
	}
	return f.Name + ": " + f.Message
}
