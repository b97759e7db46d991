package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

var mail = map[string]test{
	"mail comes to the owner of the run, in order": func(t *testing.T, s, other history.Store) {
		me, she := join(t, s), join(t, other)
		start(t, s, me, "a", "b")
		start(t, other, she, "c")
		require.NoError(t, s.Create(ctx, newRun("nobody's")))
		for _, to := range []string{"a", "c", "b", "nobody's", "a"} {
			send(t, other, history.Mail{To: to, Event: signal(to)})
		}
		require.Equal(t, []string{"a", "b", "a"}, inbox(t, s, me, 0))
		require.Equal(t, []string{"c"}, inbox(t, s, she, 0))
		all, err := s.Inbox(ctx, me, 0)
		require.NoError(t, err)
		require.Equal(t, []string{"b", "a"}, inbox(t, s, me, all[0].Seq))
		require.Empty(t, inbox(t, s, me, all[2].Seq))
		require.Equal(t, history.Mail{Seq: all[1].Seq, To: "b", Event: signal("b")}, all[1])
		_, err = other.Claim(ctx, history.Claim{Owner: she, Now: epoch})
		require.NoError(t, err)
		require.Equal(t, []string{"c", "nobody's"}, inbox(t, other, she, 0))
	},
	"mail is taken by a turn": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r", "other")
		for _, name := range []string{"1", "2", "3"} {
			send(t, s, history.Mail{To: "r", Event: signal(name)})
			send(t, s, history.Mail{To: "other", Event: signal("o")})
		}
		all, err := s.Inbox(ctx, me, 0)
		require.NoError(t, err)
		step := turn(ref("r", 1), 1)
		step.Mail = all[3].Seq // after the second
		commit(t, s, me, step)
		require.Equal(t, []string{"o", "o", "3", "o"}, inbox(t, s, me, 0))
		step.Mail = all[5].Seq
		require.ErrorIs(t, refused(t, s, me, step), history.ErrConflict)
		require.Equal(t, []string{"o", "o", "3", "o"}, inbox(t, s, me, 0), "nothing is taken by a step that is not written")
		send(t, s, history.Mail{To: "r", Event: signal("4")})
		more, err := s.Inbox(ctx, me, all[5].Seq)
		require.NoError(t, err)
		require.Len(t, more, 1)
		require.Greater(t, more[0].Seq, all[5].Seq, "Seq is never used again")
	},
	"mail for nobody": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "closed")
		commit(t, s, me, turn(ref("closed", 1), 1, decide(history.RunCompleted)))
		require.ErrorIs(t, s.Send(ctx, history.Mail{To: "x", Event: signal("s")}), history.ErrNotFound)
		require.ErrorIs(t, s.Send(ctx, history.Mail{To: "closed", Event: signal("s")}), history.ErrEnded)
		require.Empty(t, inbox(t, s, me, 0))
	},
	"mail for the run of a number": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r")
		commit(t, s, me, turn(ref("r", 1), 1, decide(history.RunCompleted)))
		start(t, s, me, "r")
		require.ErrorIs(t, s.Send(ctx, history.Mail{To: "r", Number: 1, Event: signal("1")}), history.ErrEnded)
		require.ErrorIs(t, s.Send(ctx, history.Mail{To: "r", Number: 3, Event: signal("3")}), history.ErrEnded)
		send(t, s, history.Mail{To: "r", Number: 2, Event: signal("2")})
		require.Equal(t, []string{"2"}, inbox(t, s, me, 0))
	},
	"mail for a child": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		n := newRun("c")
		n.Run.Parent = &history.Parent{Ref: ref("p", 1), Op: "/1"}
		commit(t, s, me, history.Step{Start: []history.NewRun{n, newRun("no child")}})
		for _, not := range []history.Mail{
			{To: "c", Child: &history.Parent{Ref: ref("p", 2), Op: "/1"}}, {To: "c", Child: &history.Parent{Ref: ref("p", 1), Op: "/2"}},
			{To: "c", Child: &history.Parent{Ref: ref("q", 1), Op: "/1"}}, {To: "no child", Child: &history.Parent{Ref: ref("p", 1), Op: "/1"}},
		} {
			not.Event = signal("s")
			require.ErrorIs(t, s.Send(ctx, not), history.ErrEnded)
		}
		send(t, s, history.Mail{To: "c", Child: &history.Parent{Ref: ref("p", 1), Op: "/1", OnParentClose: "cancel"}, Event: signal("s")})
		require.Equal(t, []string{"s"}, inbox(t, s, me, 0))
	},
	"a step's run is told what came of its mail": func(t *testing.T, s, other history.Store) {
		me, she := join(t, s), join(t, other)
		start(t, s, me, "r")
		start(t, other, she, "far")
		yes, no := signal("yes"), signal("no")
		step := turn(ref("r", 1), 1)
		step.Send = []history.Mail{
			{To: "far", Event: signal("1"), Sent: &yes, Lost: &no}, {To: "x", Event: signal("2"), Sent: &yes, Lost: &no},
			{To: "far", Number: 2, Event: signal("3"), Sent: &yes, Lost: &no}, {To: "far", Event: signal("4")}, {To: "x", Event: signal("5")},
			{To: "r", Event: signal("6"), Sent: &yes}, {To: "begun", Event: signal("7"), Sent: &yes},
		}
		step.Start = []history.NewRun{newRun("begun")}
		commit(t, s, me, step)
		require.Equal(t, []string{"1", "4"}, inbox(t, s, she, 0))
		require.Equal(t, []string{"yes", "no", "no", "6", "yes", "7", "yes"}, inbox(t, s, me, 0))
	},
	"a step of no run sends and starts": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		no := signal("no")
		n := newRun("a")
		n.Else = &no
		require.Equal(t, []history.Ref{ref("a", 1), {}}, commit(t, s, me, history.Step{Start: []history.NewRun{n, n},
			Send: []history.Mail{{To: "a", Event: signal("s")}, {To: "x", Event: signal("s"), Lost: &no}}}))
		require.Equal(t, []string{"s"}, inbox(t, s, me, 0))
	},
}
