package history_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

// Whatever is wrong with a recording, Check says where.
func TestRecordingCheck(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	sound := func() history.Recording {
		src := history.Sources{Main: "a.lua", Files: map[string]string{"a.lua": "return {}"}}
		input := json.RawMessage(`[{"id":7}]`)
		return history.Recording{Format: 1, Sources: src,
			Run: history.Run{Ref: history.Ref{ID: "r", Number: 1}, Workflow: "a", Program: src.Hash(), Input: input, Created: at, Closed: at.Add(1), Status: history.Completed, Turns: 2},
			Turns: []history.Turn{
				{Seq: 1, Time: at, Events: []history.Event{{Kind: history.RunStarted, Name: "a", Payload: input}}, Decisions: []history.Event{{Kind: history.TimerStarted, Op: "/1"}}},
				{Seq: 2, Time: at.Add(1), Events: []history.Event{{Kind: history.TimerFired, Op: "/1"}}, Decisions: []history.Event{{Kind: history.RunCompleted}}},
			}}
	}
	require.NoError(t, sound().Check())
	child := sound()
	child.Run.ID, child.Run.Parent = "order-7/1t/2", &history.Parent{Ref: history.Ref{ID: "order-7", Number: 1}, Op: "/1t/2"}
	require.NoError(t, child.Check())
	for want, damage := range map[string]func(r *history.Recording){
		"names no format":                                             func(r *history.Recording) { r.Format = 0 },
		"run: id: an empty ID cannot name a run":                      func(r *history.Recording) { r.Run.ID = "" },
		`run: id: the ID "@last" cannot name a run`:                   func(r *history.Recording) { r.Run.ID = "@last" },
		`run: id: the ID "a/7" cannot name a run`:                     func(r *history.Recording) { r.Run.ID = "a/7" },
		"run: number: expected 1 or more, found 0":                    func(r *history.Recording) { r.Run.Number = 0 },
		"run: workflow: expected its name, found none":                func(r *history.Recording) { r.Run.Workflow = "" },
		"run: created: expected when":                                 func(r *history.Recording) { r.Run.Created = time.Time{} },
		"run: input: expected an array of the arguments, found noth":  func(r *history.Recording) { r.Run.Input = nil },
		"run: input: expected an array of the arguments, found 7":     func(r *history.Recording) { r.Run.Input = json.RawMessage("7") },
		`run: parent: expected id, number and op, found "", 0 and ""`: func(r *history.Recording) { r.Run.Parent = &history.Parent{} },
		`expected the file "b.lua", which main names`:                 func(r *history.Recording) { r.Sources.Main = "b.lua" },
		"sources: the script has the hash":                            func(r *history.Recording) { r.Run.Program = "abc" },
		"turn 2: seq: expected 2, found 3":                            func(r *history.Recording) { r.Turns[1].Seq = 3 },
		"turn 1: time: expected when it was made":                     func(r *history.Recording) { r.Turns[0].Time = time.Time{} },
		"turn 2: time: expected one after":                            func(r *history.Recording) { r.Turns[1].Time = at.Add(-1) },
		"turn 2: comes after the end":                                 func(r *history.Recording) { r.Turns[0].Decisions[0].Kind = history.RunFailed },
		"turn 1: event 1: expected RunStarted first":                  func(r *history.Recording) { r.Turns[0].Events[0].Kind = history.TimerFired },
		`turn 1: event 1: name: the run is of the workflow "a"`:       func(r *history.Recording) { r.Turns[0].Events[0].Name = "b" },
		"turn 1: event 1: payload: the input is [8] by":               func(r *history.Recording) { r.Run.Input = json.RawMessage("[8]") },
		"turn 2: event 1: expected what happened":                     func(r *history.Recording) { r.Turns[1].Events[0].Kind = history.TimerStarted },
		"turn 2: event 1: attempts: only outcomes of activities":      func(r *history.Recording) { r.Turns[1].Events[0].Attempts = history.Past{{Number: 1}} },
		"turn 2: event 1: attempts: expected numbers from 1 on": func(r *history.Recording) {
			r.Turns[1].Events[0] = history.Event{Kind: history.ActivityCompleted, Op: "/1", Attempts: history.Past{{Number: 2}, {Number: 2}}}
		},
		"turn 2: decision 1: expected what was decided":         func(r *history.Recording) { r.Turns[1].Decisions[0].Kind = history.TimerFired },
		"run: turns: expected 2, as many as there are, found 4": func(r *history.Recording) { r.Run.Turns = 4 },
		"the run is completed by its history and open by":       func(r *history.Recording) { r.Run.Status = history.Open },
		"run: closed: expected 2026":                            func(r *history.Recording) { r.Run.Closed = time.Time{} },
	} {
		r := sound()
		damage(&r)
		require.ErrorContains(t, r.Check(), want)
	}
}
