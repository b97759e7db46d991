package storetest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

var ending = map[string]test{
	"the last turn says how a run ends": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		failure := &history.Failure{Name: "E", Message: "m"}
		for kind, want := range map[history.Kind]history.Run{
			history.RunCompleted: {Status: history.Completed, Result: json.RawMessage(`[7]`)},
			history.RunContinued: {Status: history.Continued, Result: json.RawMessage(`[7]`)},
			history.RunFailed:    {Status: history.Failed, Failure: failure},
			history.RunCancelled: {Status: history.Cancelled, Failure: failure},
		} {
			r := ref(kind.String(), 1)
			start(t, s, me, r.ID)
			end := history.Event{Kind: kind, Payload: want.Result, Failure: want.Failure}
			step := turn(r, 1, end)
			step.Wake = after(1)
			commit(t, s, me, step)
			run := get(t, other, r)
			require.Equal(t, want.Status, run.Status)
			require.Equal(t, want.Result, run.Result)
			require.Equal(t, want.Failure, run.Failure)
			require.Equal(t, step.Turn.Time, run.Closed)
			require.Zero(t, run.Owner)
			require.Zero(t, run.Wake)
			require.Equal(t, int64(1), run.Turns)
			nothing(t, s, run, func() {
				require.ErrorIs(t, refused(t, s, me, turn(r, 2)), history.ErrConflict)
				require.ErrorIs(t, refused(t, s, me, history.Step{Ref: r, Halt: "x"}), history.ErrConflict)
			})
		}
	},
	"a run continues in the step that ends it": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r")
		for n := 1; n < 4; n++ {
			step := turn(ref("r", n), 1, decide(history.RunContinued))
			step.Start = []history.NewRun{newRun("r")}
			require.Equal(t, []history.Ref{ref("r", n+1)}, commit(t, s, me, step))
			require.Equal(t, history.Continued, get(t, s, ref("r", n)).Status)
			require.Equal(t, history.Open, get(t, s, ref("r", 0)).Status)
		}
		step := turn(ref("r", 4), 1, decide(history.RunContinued))
		step.Start = []history.NewRun{newRun("r"), newRun("r")}
		nothing(t, s, get(t, s, ref("r", 4)), func() { require.ErrorIs(t, refused(t, s, me, step), history.ErrExists) })
	},
	"mail that was not taken goes to the next run": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r")
		send(t, s, history.Mail{To: "r", Event: signal("taken")})
		send(t, s, history.Mail{To: "r", Number: 1, Event: signal("of the first")})
		send(t, s, history.Mail{To: "r", Event: signal("kept")})
		mail, err := s.Inbox(ctx, me, 0)
		require.NoError(t, err)
		step := turn(ref("r", 1), 1, decide(history.RunContinued))
		step.Mail = mail[0].Seq
		step.Start = []history.NewRun{newRun("r")}
		step.Send = []history.Mail{{To: "r", Event: signal("sent")}}
		commit(t, s, me, step)
		require.Equal(t, []string{"kept", "sent"}, inbox(t, s, me, 0))
	},
	"mail ends with its run otherwise": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r", "other")
		send(t, s, history.Mail{To: "r", Event: signal("lost")})
		send(t, s, history.Mail{To: "other", Event: signal("of another")})
		step := turn(ref("r", 1), 1, decide(history.RunCompleted))
		step.Start = []history.NewRun{newRun("r")}
		commit(t, s, me, step)
		require.Equal(t, []string{"of another"}, inbox(t, s, me, 0))
	},
	"a run that ends gets no replies": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r", "to")
		yes, no := signal("yes"), signal("no")
		step := turn(ref("r", 1), 1, decide(history.RunContinued))
		n := newRun("to")
		n.Else = &no
		step.Start = []history.NewRun{newRun("r"), n}
		step.Send = []history.Mail{{To: "to", Event: signal("hello"), Sent: &yes, Lost: &no}, {To: "nobody", Event: signal("hello"), Sent: &yes, Lost: &no}}
		require.Equal(t, []history.Ref{ref("r", 2), {}}, commit(t, s, me, step))
		require.Equal(t, []string{"hello"}, inbox(t, s, me, 0))
	},
}
