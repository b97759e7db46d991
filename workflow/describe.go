package workflow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/flowlua/flowlua/history"
)

const nothing = "nothing"

// describe puts a decision into the words of an error message.
func describe(ev *history.Event) string {
	with := func(what string) string { return fmt.Sprintf("%s %q with %s", what, ev.Name, shorten(ev.Payload)) }
	switch ev.Kind {
	case history.ActivityScheduled:
		return with("activity")
	case history.ActivityCancelRequested:
		return fmt.Sprintf("the cancellation of activity %q", ev.Name)
	case history.TimerStarted:
		return "a timer due " + ev.At.UTC().Format(time.RFC3339Nano)
	case history.TimerCancelled:
		return "the cancellation of a timer"
	case history.ChildStarted:
		return with("child workflow")
	case history.ChildCancelRequested:
		return fmt.Sprintf("the cancellation of child workflow %q", ev.Name)
	case history.SignalSent:
		return with("signal") + fmt.Sprintf(" to %q", ev.Run)
	case history.SideEffectRecorded:
		return fmt.Sprintf("side effect %q", ev.Name)
	case history.VersionRecorded:
		return fmt.Sprintf("version %s of change %q", shorten(ev.Payload), ev.Name)
	case history.StatusSet:
		return "status " + shorten(ev.Payload)
	case history.RunCompleted:
		return "completion with " + shorten(ev.Payload)
	case history.RunFailed:
		if ev.Failure != nil {
			return fmt.Sprintf("failure with %s: %s", ev.Failure.Name, ev.Failure.Message)
		}
		return "failure"
	case history.RunCancelled:
		return "the end as cancelled"
	case history.RunContinued:
		return "continuation as new with " + shorten(ev.Payload)
	}
	return ev.Kind.String()
}

func shorten(payload json.RawMessage) string {
	const most = 200
	if len(payload) <= most {
		return string(payload)
	}
	return string(payload[:most]) + "…"
}

// same reports whether a script that decides asked fits a log that has logged. Options of activities may differ, they concern
// only the engine; so may the wording of the failure that ends a run, which names lines of the script.
func same(logged, asked *history.Event) bool {
	return logged.Kind == asked.Kind && logged.Op == asked.Op && logged.Name == asked.Name && logged.Run == asked.Run &&
		logged.At.Equal(asked.At) && childID(logged) == childID(asked) && failureName(logged) == failureName(asked) &&
		samePayload(logged.Payload, asked.Payload)
}

func childID(ev *history.Event) string {
	if ev.Child == nil {
		return ""
	}
	return ev.Child.ID
}

func failureName(ev *history.Event) string {
	if ev.Failure == nil {
		return ""
	}
	return ev.Failure.Name
}

// samePayload compares bytes, and only when these differ what they mean: another release or store may write them otherwise.
func samePayload(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return decodeAny(a, &x) && decodeAny(b, &y) && reflect.DeepEqual(x, y)
}

func decodeAny(data json.RawMessage, v *any) bool {
	if len(data) == 0 {
		return true
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(v) == nil
}
