package storetest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

var attempts = map[string]test{
	"attempts are as the last step says": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r", "other")
		of := func(want ...history.Attempt) {
			t.Helper()
			got, err := other.Attempts(ctx, ref("r", 0))
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		got, err := s.Attempts(ctx, ref("r", 1))
		require.NoError(t, err)
		require.Empty(t, got)

		a := history.Attempt{Op: "/1", Number: 2, Failures: 1, Next: after(1), Details: json.RawMessage(`{"at":1}`), Failure: &history.Failure{Name: "E"},
			Began: epoch, Heard: after(2), Past: history.Past{{Number: 1, Ended: epoch, Failure: &history.Failure{Name: "E"}}}}
		b, c := history.Attempt{Op: "/2", Number: 1}, history.Attempt{Op: "/10", Number: 1}
		step := turn(ref("r", 1), 1)
		step.Attempts = []history.Attempt{b, a}
		commit(t, s, me, step, history.Step{Ref: ref("other", 1), Attempts: []history.Attempt{c}})
		of(a, b)
		a.Number, a.Next, a.Failure = 3, epoch, nil
		commit(t, s, me, history.Step{Ref: ref("r", 1), Attempts: []history.Attempt{a, c}})
		of(a, c, b) // by operation
		require.Equal(t, int64(1), get(t, s, ref("r", 1)).Turns)
		commit(t, s, me, history.Step{Ref: ref("r", 1), Ended: []string{"/1", "/7"}})
		of(c, b)
		commit(t, s, me, history.Step{Ref: ref("r", 1), Ended: []string{"/2"}, Attempts: []history.Attempt{b}})
		of(c, b) // what is so now counts
		commit(t, s, me, turn(ref("r", 1), 2, decide(history.RunCompleted)))
		got, err = s.Attempts(ctx, ref("r", 1))
		require.NoError(t, err)
		require.Empty(t, got, "a run that has ended has none")
		got, err = s.Attempts(ctx, ref("other", 1))
		require.NoError(t, err)
		require.Equal(t, []history.Attempt{c}, got)
	},
	"a run that has ended gets no attempts": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r")
		step := turn(ref("r", 1), 1, decide(history.RunFailed))
		step.Attempts = []history.Attempt{{Op: "/1", Number: 1}}
		commit(t, s, me, step)
		got, err := s.Attempts(ctx, ref("r", 1))
		require.NoError(t, err)
		require.Empty(t, got)
	},
}
