package progress

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

var job = history.Ref{ID: "job", Number: 1}

type story struct {
	*Watch
	lines []string
	seq   int64
}

func newStory() *story {
	s := &story{Watch: &Watch{}}
	s.Line = func(text string) { s.lines = append(s.lines, text) }
	return s
}

func (s *story) turn(run history.Ref, ms int, events ...history.Event) history.Turn {
	s.seq++
	turn := history.Turn{Seq: s.seq, Time: at(ms)}
	for _, ev := range events {
		if ev.Kind.Decision() {
			turn.Decisions = append(turn.Decisions, ev)
		} else {
			turn.Events = append(turn.Events, ev)
		}
	}
	s.Turn(run, turn)
	return turn
}

func payload(text string) json.RawMessage { return json.RawMessage(text) }

func TestWatch(t *testing.T) {
	s := newStory()
	s.turn(job, 0,
		history.Event{Kind: history.RunStarted, Name: "order", Payload: payload(`[7]`)},
		history.Event{Kind: history.ActivityScheduled, Op: "/1", Name: "charge", Payload: payload(`["card",12.5]`),
			Activity: &history.ActivityOptions{Retry: &history.RetryOptions{MaxAttempts: 3}}},
		history.Event{Kind: history.TimerStarted, Op: "/2t/1", At: at(90000)},
		history.Event{Kind: history.ChildStarted, Op: "/3", Name: "ship", Payload: payload(`[]`), Child: &history.ChildOptions{ID: "ship-1"}})
	s.Attempt(Attempt{Run: "job", Op: "/1", Number: 1, At: at(10)})
	s.Attempt(Attempt{Run: "job", Op: "/1", Number: 1, At: at(50), Failure: &history.Failure{Name: "Busy", Message: "not\nnow"}, Again: at(100)})
	s.turn(history.Ref{ID: "ship-1", Number: 1}, 20,
		history.Event{Kind: history.RunStarted, Name: "ship", Payload: payload(`[]`)},
		history.Event{Kind: history.ActivityScheduled, Op: "/1", Name: "pack", Payload: payload(`[]`)})
	s.Attempt(Attempt{Run: "stranger", Op: "/9", Number: 1, At: at(10)})
	s.turn(history.Ref{ID: "stranger", Number: 1}, 20, history.Event{Kind: history.RunStarted, Name: "other"})
	require.Equal(t, strings.TrimLeft(`
▷ order  1.0s
├ ↺ charge("card",12.5)  990ms  attempt 1/3  Busy: not now
├ ⧖ timer 1m30s  1.0s
└ ▷ ship()  1.0s
  └ ○ pack()`, "\n"), strings.Join(s.Lines(at(1000), Style{}), "\n"))

	s.Attempt(Attempt{Run: "job", Op: "/1", Number: 2, At: at(100)})
	s.turn(job, 2000,
		history.Event{Kind: history.ActivityCompleted, Op: "/1", Payload: payload(`[true]`)},
		history.Event{Kind: history.ChildFailed, Op: "/3", Failure: &history.Failure{Name: "ChildWorkflowError"}},
		history.Event{Kind: history.CancelRequested, Payload: payload(`[]`)},
		history.Event{Kind: history.TimerCancelled, Op: "/2t/1"},
		history.Event{Kind: history.StatusSet, Payload: payload(`["giving up"]`)},
		history.Event{Kind: history.RunCancelled, Failure: &history.Failure{Name: "CancelledError"}})
	require.Equal(t, strings.TrimLeft(`
⊘ order  2.0s
├ ✓ charge("card",12.5)  1.9s  attempt 2/3
├ ⊘ timer 1m30s  2.0s
└ ✗ ship()  2.0s  ChildWorkflowError
  └ ○ pack()`, "\n"), strings.Join(s.Lines(at(9000), Style{}), "\n"))

	require.Equal(t, []string{
		"workflow order started",
		"timer 1m30s started",
		`activity charge("card",12.5) started`,
		`activity charge("card",12.5) failed in attempt 1/3, again in 50ms: Busy: not now`,
		"workflow ship() started",
		`activity charge("card",12.5) started, attempt 2/3`,
		`activity charge("card",12.5) completed in 1.9s`,
		"child ship() failed after 2.0s: ChildWorkflowError",
		"cancellation requested",
		"status: giving up",
		"workflow order cancelled after 2.0s",
	}, s.lines)
}

func TestTrace(t *testing.T) {
	s := newStory()
	turn := s.turn(job, 1500,
		history.Event{Kind: history.ActivityFailed, Op: "/1", Failure: &history.Failure{Name: "Busy", Message: "not\nnow"}},
		history.Event{Kind: history.TimerStarted, Op: "/2", At: at(3500)},
		history.Event{Kind: history.SignalSent, Op: "/3", Name: "stop", Run: "other", Payload: payload(`[1]`)})
	require.Equal(t, []string{
		"   1.500s  turn 1  ← ActivityFailed /1 Busy: not now",
		"   1.500s  turn 1  → TimerStarted /2 in 2.0s",
		"   1.500s  turn 1  → SignalSent /3 stop other [1]",
	}, Trace(job, turn, start))

	a := Attempt{Op: "/1", Number: 2, At: at(1000)}
	require.Equal(t, "   1.000s  attempt 2 of /1 started", a.Trace(start))
	a.Failure = &history.Failure{Name: "Busy"}
	require.Equal(t, "   1.000s  attempt 2 of /1 failed: Busy", a.Trace(start))
	a.Again = at(1200)
	require.Equal(t, "   1.000s  attempt 2 of /1 failed, again in 200ms: Busy", a.Trace(start))
}

func TestTitlesAreShort(t *testing.T) {
	require.Equal(t, `f("a",{"b":1})`, title("f", payload(`["a",{"b":1}]`)))
	require.LessOrEqual(t, Cells(title("f", payload(`["`+strings.Repeat("x", 100)+`"]`))), 52)
	require.Equal(t, "f()", title("f", nil))
	require.Equal(t, time.Duration(0), (&Step{}).Took(at(5)))
}
