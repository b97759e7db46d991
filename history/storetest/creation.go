package storetest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

var creation = map[string]test{
	"a run begins as it is told, and is its owner's": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		n := newRun("r")
		n.Run.Parent = &history.Parent{Ref: ref("p", 3), Op: "/1/2", OnParentClose: "abandon"}
		n.Wake = after(time.Minute)
		require.Equal(t, []history.Ref{ref("r", 1)}, commit(t, s, me, history.Step{Start: []history.NewRun{n}}))
		want := n.Run
		want.Number, want.Status, want.Owner, want.Wake = 1, history.Open, me, n.Wake
		require.Equal(t, want, get(t, s, ref("r", 0)))
		require.Equal(t, want, get(t, other, ref("r", 1)))
		require.Empty(t, collect(t, s.Turns(ctx, ref("r", 1), 0)))
	},
	"what a new run says of its course does not count": func(t *testing.T, s, other history.Store) {
		n := newRun("r")
		want := n.Run
		n.Run.Status, n.Run.Turns, n.Run.Owner, n.Run.State, n.Run.Result, n.Run.Closed, n.Run.Halted = history.Failed, 7, 9, none, none, epoch, "x"
		n.Run.Failure = &history.Failure{Name: "E"}
		require.NoError(t, s.Create(ctx, n))
		want.Number, want.Status = 1, history.Open
		require.Equal(t, want, get(t, s, ref("r", 0)))
	},
	"two open runs do not share an ID": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r", "p")
		again := history.Step{Start: []history.NewRun{newRun("r")}}
		require.ErrorIs(t, refused(t, s, me, again), history.ErrExists)
		require.ErrorIs(t, refused(t, other, join(t, other), again), history.ErrExists)
		require.ErrorIs(t, s.Create(ctx, newRun("r")), history.ErrExists)
		require.Len(t, collect(t, s.Runs(ctx, history.Filter{})), 2)
	},
	"a step whose new run exists is not written at all": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "p", "taken")
		step := turn(ref("p", 1), 1)
		step.Attempts = []history.Attempt{{Op: "/1", Number: 1}}
		step.Start = []history.NewRun{newRun("free"), newRun("taken")}
		step.Send = []history.Mail{{To: "p", Event: signal("s")}}
		step.Wake = after(time.Hour)
		nothing(t, s, get(t, s, ref("p", 1)), func() { require.ErrorIs(t, refused(t, s, me, step), history.ErrExists) })
		_, err := s.Run(ctx, ref("free", 0))
		require.ErrorIs(t, err, history.ErrNotFound)
		require.Empty(t, inbox(t, s, me, 0))
		got, err := s.Attempts(ctx, ref("p", 1))
		require.NoError(t, err)
		require.Empty(t, got)

		step.Start = []history.NewRun{newRun("twice"), newRun("twice")}
		require.ErrorIs(t, refused(t, s, me, step), history.ErrExists)
		_, err = s.Run(ctx, ref("twice", 0))
		require.ErrorIs(t, err, history.ErrNotFound)
		step.Start = step.Start[1:]
		require.Equal(t, []history.Ref{ref("twice", 1)}, commit(t, s, me, step), "and after it one that can be")
	},
	"other steps of a commit are written all the same": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "p", "taken")
		bad := turn(ref("p", 1), 1)
		bad.Start = []history.NewRun{newRun("taken")}
		written, err := s.Commit(ctx, me, []history.Step{turn(ref("taken", 1), 1), bad, {Start: []history.NewRun{newRun("a")}}, turn(ref("a", 1), 1), turn(ref("p", 1), 2), turn(ref("p", 1), 1)})
		require.NoError(t, err)
		for i, want := range []error{nil, history.ErrExists, nil, nil, history.ErrConflict, nil} {
			require.ErrorIs(t, written[i].Err, want, "step %d", i)
		}
		require.Equal(t, []history.Ref{ref("a", 1)}, written[2].Started)
		require.Equal(t, int64(1), get(t, s, ref("a", 1)).Turns)
		require.Equal(t, int64(1), get(t, s, ref("p", 1)).Turns)
	},
	"Else is what the step's run is sent instead": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "p", "taken")
		step := turn(ref("p", 1), 1)
		no := signal("no")
		for _, id := range []string{"a", "taken", "b", "b"} {
			n := newRun(id)
			n.Else = &no
			step.Start = append(step.Start, n)
		}
		require.Equal(t, []history.Ref{ref("a", 1), {}, ref("b", 1), {}}, commit(t, s, me, step))
		require.Equal(t, []string{"no", "no"}, inbox(t, s, me, 0))
		all, err := s.Inbox(ctx, me, 0)
		require.NoError(t, err)
		require.Equal(t, "p", all[0].To)
		require.Equal(t, 1, all[0].Number, "it is for no later run")
	},
	"runs of an ID count up": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r")
		commit(t, s, me, turn(ref("r", 1), 1, decide(history.RunCompleted)))
		require.Equal(t, []history.Ref{ref("r", 2)}, commit(t, s, me, history.Step{Start: []history.NewRun{newRun("r")}}))
		commit(t, s, me, turn(ref("r", 2), 1, decide(history.RunCompleted)))
		require.NoError(t, other.Create(ctx, newRun("r")))
		require.Equal(t, ref("r", 3), get(t, s, ref("r", 0)).Ref)
		require.Equal(t, history.Completed, get(t, s, ref("r", 1)).Status)
	},
	"a new run can have a number of its own": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		n := newRun("r")
		n.Run.Number = 5
		require.Equal(t, []history.Ref{ref("r", 5)}, commit(t, s, me, history.Step{Start: []history.NewRun{n}}))
		n.Run.Number = 6
		require.ErrorIs(t, refused(t, s, me, history.Step{Start: []history.NewRun{n}}), history.ErrExists, "5 is open")
		commit(t, s, me, turn(ref("r", 5), 1, decide(history.RunCompleted)))
		for _, number := range []int{4, 5} {
			n.Run.Number = number
			require.ErrorIs(t, refused(t, s, me, history.Step{Start: []history.NewRun{n}}), history.ErrExists, "after 5 comes no %d", number)
		}
		n.Run.Number = 8
		require.Equal(t, []history.Ref{ref("r", 8)}, commit(t, s, me, history.Step{Start: []history.NewRun{n}}))
		_, err := s.Run(ctx, ref("r", 7))
		require.ErrorIs(t, err, history.ErrNotFound)
	},
	"sources are kept by their hash": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "1", "2")
		got, err := other.Sources(ctx, script.Hash())
		require.NoError(t, err)
		require.Equal(t, script, got)
		n := newRun("3")
		n.Sources = history.Sources{}
		commit(t, s, me, history.Step{Start: []history.NewRun{n}}) // they are there
		n = newRun("4")
		n.Run.Program = "of nothing"
		require.ErrorContains(t, refused(t, s, me, history.Step{Start: []history.NewRun{n}}), "give the right ones")
		require.ErrorContains(t, s.Create(ctx, n), "give the right ones")
		_, err = s.Sources(ctx, "of nothing")
		require.ErrorIs(t, err, history.ErrNotFound)
	},
	"Create makes a run that is nobody's": func(t *testing.T, s, other history.Store) {
		n := newRun("r")
		n.Wake = after(time.Minute)
		require.NoError(t, s.Create(ctx, n))
		run := get(t, other, ref("r", 1))
		require.Zero(t, run.Owner)
		require.Equal(t, n.Wake, run.Wake)
		me := join(t, other)
		require.ErrorIs(t, refused(t, other, me, turn(ref("r", 1), 1)), history.ErrConflict)
		claimed, err := other.Claim(ctx, history.Claim{Owner: me, Now: epoch})
		require.NoError(t, err)
		run.Owner = me
		require.Equal(t, []history.Run{run}, claimed)
		commit(t, other, me, turn(ref("r", 1), 1))
	},
	"any text is an ID": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		texts := []string{"ä", "a b", "a\x00b", "a", "A", "'", "\xff", "%", ""}
		for i, id := range texts {
			n := newRun(id)
			n.Run.Input, _ = json.Marshal([]int{i})
			commit(t, s, me, history.Step{Start: []history.NewRun{n}})
			send(t, s, history.Mail{To: id, Event: signal(id)})
		}
		for i, id := range texts {
			want, _ := json.Marshal([]int{i})
			require.Equal(t, string(want), string(get(t, s, ref(id, 0)).Input), "%q", id)
		}
		require.Equal(t, texts, inbox(t, other, me, 0))
	},
}
