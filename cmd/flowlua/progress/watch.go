package progress

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/flowlua/flowlua/history"
)

// Watch follows the first run that it hears of, with its children, and keeps a Board of it. Its methods may be called from
// several goroutines.
type Watch struct {
	Line func(text string) // called with a line for each thing that happens; nil: nobody wants them

	mu     sync.Mutex
	board  Board
	places map[string]string // of the runs that are followed, by ID: where in the tree they are
}

// Lines draws the tree as it is now.
func (w *Watch) Lines(now time.Time, style Style) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.board.Lines(now, style)
}

// Edit lets the caller add what it knows besides: names and states of branches, of which no event tells.
func (w *Watch) Edit(change func(b *Board)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(&w.board)
}

// Turn takes in what happened to a run and what it decided.
func (w *Watch) Turn(run history.Ref, turn history.Turn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.places == nil {
		w.places = map[string]string{run.ID: ""}
	}
	place, known := w.places[run.ID]
	if !known {
		return
	}
	for i := range turn.Events {
		w.happened(place, &turn.Events[i], turn.Time)
	}
	for i := range turn.Decisions {
		w.decided(run, place, &turn.Decisions[i], turn.Time)
	}
}

func (w *Watch) happened(place string, ev *history.Event, at time.Time) {
	s := w.board.Step(place + ev.Op)
	if n := len(ev.Attempts); n > 0 {
		s.Past, s.Attempt = ev.Attempts, max(s.Attempt, ev.Attempts[n-1].Number)
	}
	switch ev.Kind {
	case history.RunStarted:
		if s.Kind == "" { // a child has its name from its parent
			s.Name, s.Kind = ev.Name, "workflow"
		}
		s.Begin(Running, at)
		w.say("workflow %s started", s.Name)
	case history.ActivityCompleted, history.ChildCompleted:
		s.End(Done, at)
		s.Note = lost(ev.Attempts)
		w.say("%s completed in %s", s.label(), Duration(s.Took(at)))
	case history.ActivityFailed, history.ChildFailed:
		s.Note = failure(ev.Failure)
		if ev.Failure != nil && ev.Failure.Name == "CancelledError" {
			s.End(Cancelled, at)
			s.Note = ""
			w.say("%s cancelled after %s", s.label(), Duration(s.Took(at)))
			return
		}
		s.End(Failed, at)
		w.say("%s failed after %s: %s", s.label(), Duration(s.Took(at)), s.Note)
	case history.TimerFired, history.SignalDelivered:
		s.End(Done, at)
	case history.SignalFailed:
		s.Note = failure(ev.Failure)
		s.End(Failed, at)
	case history.SignalReceived:
		w.say("signal %s received", ev.Name)
	case history.CancelRequested:
		w.say("cancellation requested")
	}
}

func (w *Watch) decided(run history.Ref, place string, d *history.Event, at time.Time) {
	s := w.board.Step(place + d.Op)
	switch d.Kind {
	case history.ActivityScheduled:
		s.Name, s.Kind = title(d.Name, d.Payload), "activity"
		if d.Activity != nil && d.Activity.Retry != nil {
			s.Of = d.Activity.Retry.MaxAttempts
		}
	case history.ActivityCancelRequested, history.ChildCancelRequested:
		s.Note = "asked to stop"
		w.say("%s asked to stop", s.label())
	case history.TimerStarted:
		s.Name, s.Kind = "timer "+Duration(d.At.Sub(at)), "timer"
		s.Begin(Sleeping, at)
		w.say("%s started", s.Name)
	case history.TimerCancelled:
		s.End(Cancelled, at)
	case history.ChildStarted:
		s.Name, s.Kind = title(d.Name, d.Payload), "child"
		s.Begin(Running, at)
		if d.Child != nil {
			w.places[d.Child.ID] = place + d.Op
		}
	case history.SignalSent:
		s.Name, s.Kind = "signal "+d.Name, "signal"
		s.Begin(Running, at)
	case history.StatusSet:
		var values []json.RawMessage
		if json.Unmarshal(d.Payload, &values) == nil && len(values) > 0 {
			s.Note = strings.Trim(string(values[0]), `"`)
			w.say("status: %s", s.Note)
		}
	case history.RunCompleted:
		w.end(s, Done, at, "")
	case history.RunFailed:
		w.end(s, Failed, at, failure(d.Failure))
	case history.RunCancelled:
		w.end(s, Cancelled, at, "")
	case history.RunContinued:
		w.say("workflow %s continued as new", s.Name)
		if place == "" {
			w.board = Board{}
		}
	}
}

func (w *Watch) end(s *Step, state State, at time.Time, note string) {
	s.Note = note
	s.End(state, at)
	text := "workflow " + s.Name + " " + [...]string{Done: "completed", Failed: "failed", Cancelled: "cancelled"}[state] + " after " + Duration(s.Took(at))
	if note != "" {
		text += ": " + note
	}
	w.say("%s", text)
}

// Attempt is one attempt of an activity, as a worker makes it.
type Attempt struct {
	Run     string // the run's ID
	Op      string
	Number  int
	At      time.Time        // when it began or failed
	Failure *history.Failure // why it failed; nil: it has just begun
	Again   time.Time        // when the next attempt is made; zero: there is none
}

// Attempt takes in that an attempt of an activity begins or has failed.
func (w *Watch) Attempt(a Attempt) {
	w.mu.Lock()
	defer w.mu.Unlock()
	place, known := w.places[a.Run]
	if !known {
		return
	}
	s := w.board.Step(place + a.Op)
	s.Attempt = a.Number
	switch {
	case a.Failure == nil:
		s.Begin(Running, a.At)
		if a.Number == 1 {
			w.say("%s started", s.label())
		} else {
			w.say("%s started, %s", s.label(), attempts(s))
		}
	case !a.Again.IsZero():
		s.Begin(Retrying, a.At)
		s.Note = failure(a.Failure)
		w.say("%s failed in %s, again in %s: %s", s.label(), attempts(s), Duration(a.Again.Sub(a.At).Round(time.Millisecond)), s.Note)
	}
}

func (w *Watch) say(format string, args ...any) {
	if w.Line != nil {
		w.Line(strings.Map(printable, strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")))
	}
}

// label names the step in a line: "activity download "cat.jpg"".
func (s *Step) label() string { return strings.TrimSpace(s.Kind + " " + s.Name) }

// title is the name of a call with its arguments, as far as they are short.
func title(name string, payload json.RawMessage) string {
	const room = 48
	arguments := strings.TrimSuffix(strings.TrimPrefix(string(payload), "["), "]")
	if Cells(arguments) > room {
		arguments = cut(arguments, room-1) + "…"
	}
	return name + "(" + arguments + ")"
}

func failure(f *history.Failure) string {
	switch {
	case f == nil:
		return ""
	case f.Message == "":
		return f.Name
	}
	return f.Name + ": " + strings.Join(strings.Fields(f.Message), " ")
}
