package storetest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

var turns = map[string]test{
	"turns come back as they went in": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r", "beside")
		yes := true
		failure := &history.Failure{Name: "ServiceError", Message: "no", Kinds: []string{"ClientError"}, Status: 404, Retryable: &yes, Timeout: "heartbeat",
			Activity: "a", Details: json.RawMessage(`{"x":1}`), Reason: json.RawMessage(`"r"`), Value: json.RawMessage(`"v"`),
			Cause: &history.Failure{Name: "E"}, Trace: []string{"a.lua:1: in main chunk"}}
		turns := []history.Turn{
			{Seq: 1, Time: epoch,
				Events: []history.Event{{Kind: history.RunStarted, Name: "w", Payload: json.RawMessage(`[1,"ä\u0000"]`)}},
				Decisions: []history.Event{
					{Kind: history.ActivityScheduled, Op: "/1", Name: "a", Payload: none, Activity: &history.ActivityOptions{
						ScheduleToStart: 1, StartToClose: 2, ScheduleToClose: 3, Heartbeat: 4, Version: "2",
						Retry: &history.RetryOptions{Initial: 1, Backoff: 1.5, MaxInterval: 2, Expiration: 3, MaxAttempts: 4, Jitter: 0.1, RetryOn: []string{}, DontRetryOn: []string{"X"}}}},
					{Kind: history.TimerStarted, Op: "/2", At: epoch.Add(time.Nanosecond)},
					{Kind: history.ChildStarted, Op: "/3", Name: "c", Payload: none, Child: &history.ChildOptions{ID: "x", OnParentClose: "abandon"}},
					{Kind: history.SignalSent, Op: "/4", Name: "s", Run: "other", Payload: none}}},
			{Seq: 2, Time: after(time.Second)},
			{Seq: 3, Time: after(2 * time.Second),
				Events: []history.Event{{Kind: history.ActivityFailed, Op: "/1", Failure: failure, Attempts: history.Past{
					{Number: 1, Began: epoch, Ended: after(1), Failure: &history.Failure{Name: "E", Message: "m", Status: 503, Timeout: "heartbeat"}},
					{Number: 2, Began: after(2)}, {Number: 3}, {Number: 4, Began: after(3), Ended: after(4)}}}},
				Decisions: []history.Event{{Kind: history.StatusSet, Payload: json.RawMessage(`["early"]`)}, {Kind: history.StatusSet, Payload: json.RawMessage(`["late"]`)}, {Kind: history.RunFailed, Failure: failure}}},
		}
		for i := range turns {
			commit(t, s, me, history.Step{Ref: ref("r", 1), Turn: &turns[i]}, turn(ref("beside", 1), int64(i+1)))
		}
		require.Equal(t, turns, collect(t, s.Turns(ctx, ref("r", 0), 0)))
		require.Equal(t, turns, collect(t, other.Turns(ctx, ref("r", 1), 0)))
		require.Equal(t, turns[2:], collect(t, s.Turns(ctx, ref("r", 1), 2)))
		require.Empty(t, collect(t, s.Turns(ctx, ref("r", 1), 3)))
		require.Empty(t, collect(t, s.Turns(ctx, ref("r", 1), 9)))
		for turn := range s.Turns(ctx, ref("r", 1), 0) {
			require.Equal(t, int64(1), turn.Seq)
			break
		}
		want := newRun("r").Run
		want.Number, want.Status, want.Closed, want.Turns, want.Failure, want.State = 1, history.Failed, turns[2].Time, 3, failure, json.RawMessage(`["late"]`)
		require.Equal(t, want, get(t, s, ref("r", 0)))
	},
	"a step names the turn that is next": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r")
		commit(t, s, me, turn(ref("r", 1), 1))
		for _, seq := range []int64{0, 1, 3} {
			nothing(t, s, get(t, s, ref("r", 1)), func() {
				step := turn(ref("r", 1), seq, decide(history.RunCompleted))
				step.Start = []history.NewRun{newRun("x")}
				require.ErrorIs(t, refused(t, s, me, step), history.ErrConflict)
			})
		}
		_, err := s.Run(ctx, ref("x", 0))
		require.ErrorIs(t, err, history.ErrNotFound)
		commit(t, s, me, turn(ref("r", 0), 2)) // 0 is the latest
	},
	"a run is its owner's": func(t *testing.T, s, other history.Store) {
		me, she := join(t, s), join(t, other)
		start(t, s, me, "r")
		for _, step := range []history.Step{turn(ref("r", 1), 1), {Ref: ref("r", 1), Halt: "x"}, {Ref: ref("r", 1), Attempts: []history.Attempt{{Op: "/1"}}}} {
			nothing(t, s, get(t, s, ref("r", 1)), func() { require.ErrorIs(t, refused(t, other, she, step), history.ErrConflict) })
		}
	},
	"a step of what is not there": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r")
		for _, r := range []history.Ref{ref("x", 0), ref("x", 1), ref("r", 2), ref("r", -1)} {
			require.ErrorIs(t, refused(t, s, me, turn(r, 1)), history.ErrNotFound, "%v", r)
			_, err := s.Run(ctx, r)
			require.ErrorIs(t, err, history.ErrNotFound)
			_, err = s.Attempts(ctx, r)
			require.ErrorIs(t, err, history.ErrNotFound)
			for _, err = range s.Turns(ctx, r, 0) {
			}
			require.ErrorIs(t, err, history.ErrNotFound)
		}
	},
	"Wake is that of the last turn": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r")
		for i, wake := range []time.Time{after(time.Minute), {}, time.Unix(0, 0).UTC(), after(time.Second)} {
			step := turn(ref("r", 1), int64(i+1))
			step.Wake = wake
			commit(t, s, me, step)
			require.Equal(t, wake, get(t, other, ref("r", 1)).Wake)
		}
		commit(t, s, me, history.Step{Ref: ref("r", 1), Wake: after(time.Hour)})
		require.Equal(t, after(time.Second), get(t, s, ref("r", 1)).Wake, "without a turn it stays")
	},
	"the status stays until it is set again": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r")
		for i, set := range []string{"", `[1]`, "", `[2]`} {
			step := turn(ref("r", 1), int64(i+1))
			if set != "" {
				step.Turn.Decisions = []history.Event{{Kind: history.StatusSet, Payload: json.RawMessage(set)}}
			}
			commit(t, s, me, step)
			require.Equal(t, []string{"", "[1]", "[1]", "[2]"}[i], string(get(t, s, ref("r", 1)).State))
		}
		commit(t, s, me, turn(ref("r", 1), 5, decide(history.RunCompleted)))
		require.Equal(t, "[2]", string(get(t, s, ref("r", 1)).State))
	},
	"a commit of nothing": func(t *testing.T, s, other history.Store) {
		commit(t, s, join(t, s))
		_, err := s.Commit(ctx, 99, nil)
		require.ErrorIs(t, err, history.ErrFenced)
	},
	"a history of some length": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r")
		var steps []history.Step
		for seq := range int64(700) {
			steps = append(steps, turn(ref("r", 1), seq+1))
		}
		commit(t, s, me, steps...)
		all := collect(t, other.Turns(ctx, ref("r", 1), 0))
		require.Len(t, all, 700)
		require.Equal(t, all[600:], collect(t, other.Turns(ctx, ref("r", 1), 600)))
		for i := range all {
			require.Equal(t, *steps[i].Turn, all[i])
		}
	},
}
