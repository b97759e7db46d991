package storetest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

var changes = map[string]test{
	"Revise moves a run to other sources": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r", "closed")
		commit(t, s, me, turn(ref("r", 1), 1), turn(ref("closed", 1), 1, decide(history.RunCompleted)))
		fixed := history.Sources{Main: "a.lua", Files: map[string]string{"a.lua": "return 2"}}
		require.ErrorIs(t, other.Revise(ctx, ref("r", 0), 0, fixed), history.ErrConflict)
		require.ErrorIs(t, other.Revise(ctx, ref("r", 0), 2, fixed), history.ErrConflict)
		require.ErrorIs(t, other.Revise(ctx, ref("closed", 0), 1, fixed), history.ErrEnded)
		require.ErrorIs(t, other.Revise(ctx, ref("x", 0), 1, fixed), history.ErrNotFound)
		_, err := s.Sources(ctx, fixed.Hash())
		require.ErrorIs(t, err, history.ErrNotFound)

		require.NoError(t, other.Revise(ctx, ref("r", 0), 1, fixed))
		run := get(t, s, ref("r", 1))
		require.Equal(t, fixed.Hash(), run.Program)
		require.Zero(t, run.Owner)
		got, err := s.Sources(ctx, fixed.Hash())
		require.NoError(t, err)
		require.Equal(t, fixed, got)
		nothing(t, s, run, func() { require.ErrorIs(t, refused(t, s, me, turn(ref("r", 1), 2)), history.ErrConflict) })
		require.Equal(t, []string{"r"}, ids(claim(t, s, history.Claim{Owner: me})))
		commit(t, s, me, turn(ref("r", 1), 2))

		commit(t, s, me, history.Step{Ref: ref("r", 1), Halt: "x"})
		require.NoError(t, s.Revise(ctx, ref("r", 1), 2, script))
		require.Empty(t, get(t, s, ref("r", 1)).Halted)
		require.Equal(t, []string{"r"}, ids(claim(t, s, history.Claim{Owner: me})), "it is not halted any more")
	},
	"a recorded run is imported as it was": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "p")
		n := newRun("r")
		n.Run.Parent = &history.Parent{Ref: ref("p", 1), Op: "/1"}
		commit(t, s, me, history.Step{Start: []history.NewRun{n}}, turn(ref("r", 1), 1, history.Event{Kind: history.StatusSet, Payload: json.RawMessage(`[1]`)}),
			turn(ref("r", 1), 2, history.Event{Kind: history.RunFailed, Failure: &history.Failure{Name: "E"}}))
		rec, err := history.Record(ctx, s, ref("r", 1))
		require.NoError(t, err)
		require.ErrorIs(t, other.Import(ctx, rec), history.ErrExists)
		before := get(t, s, ref("r", 1))
		require.NoError(t, s.Delete(ctx, ref("r", 1)))
		require.NoError(t, other.Import(ctx, rec))
		require.Equal(t, before, get(t, s, ref("r", 1)))
		require.Equal(t, rec.Turns, collect(t, s.Turns(ctx, ref("r", 1), 0)))
	},
	"an open run that is imported is nobody's and has something to do": func(t *testing.T, s, other history.Store) {
		rec := history.Recording{Format: history.Format, Run: newRun("r").Run, Sources: script, Turns: []history.Turn{{Seq: 1, Time: epoch}, {Seq: 2, Time: epoch}}}
		rec.Run.Number, rec.Run.Owner, rec.Run.Halted, rec.Run.Status, rec.Run.Turns = 2, 7, "x", history.Open, 2
		require.NoError(t, s.Import(ctx, rec))
		want := rec.Run
		want.Owner, want.Halted, want.Wake = 0, "", time.Unix(0, 0).UTC()
		require.Equal(t, want, get(t, s, ref("r", 0)))
		me := join(t, s)
		require.Equal(t, []string{"r"}, ids(claim(t, s, history.Claim{Owner: me})))
		commit(t, s, me, turn(ref("r", 2), 3))
		require.Len(t, collect(t, s.Turns(ctx, ref("r", 2), 0)), 3)
	},
	"runs of one ID are imported in any order, an open one last": func(t *testing.T, s, other history.Store) {
		rec := func(number int, open bool) history.Recording {
			r := history.Recording{Format: history.Format, Run: newRun("r").Run, Sources: script, Turns: []history.Turn{{Seq: 1, Time: epoch}}}
			r.Run.Number = number
			if !open {
				r.Turns[0].Decisions = []history.Event{decide(history.RunCompleted)}
			}
			return r
		}
		require.NoError(t, s.Import(ctx, rec(3, false)))
		require.NoError(t, s.Import(ctx, rec(1, false)))
		require.Equal(t, ref("r", 3), get(t, s, ref("r", 0)).Ref)
		require.ErrorIs(t, s.Import(ctx, rec(1, false)), history.ErrExists)
		require.ErrorIs(t, s.Import(ctx, rec(1, true)), history.ErrExists)
		require.ErrorIs(t, s.Import(ctx, rec(2, true)), history.ErrExists, "3 has been")
		require.NoError(t, s.Import(ctx, rec(5, true)))
		require.NoError(t, s.Import(ctx, rec(2, false)))
		require.ErrorIs(t, s.Import(ctx, rec(6, false)), history.ErrExists, "5 is open")
		require.ErrorIs(t, s.Import(ctx, rec(6, true)), history.ErrExists)
		require.ErrorIs(t, s.Create(ctx, newRun("r")), history.ErrExists)
		require.Equal(t, ref("r", 5), get(t, s, ref("r", 0)).Ref)
	},
	"what is no recorded run is not imported": func(t *testing.T, s, other history.Store) {
		good := history.Recording{Format: history.Format, Run: newRun("r").Run, Sources: script, Turns: []history.Turn{{Seq: 1, Time: epoch}}}
		good.Run.Number = 1
		for want, spoil := range map[string]func(r *history.Recording){
			"use a newer one":           func(r *history.Recording) { r.Format++ },
			"expected 1 or more":        func(r *history.Recording) { r.Run.Number = 0 },
			"turn 2 of run \"r\" is at": func(r *history.Recording) { r.Turns = []history.Turn{{Seq: 2}} },
			"comes after its end": func(r *history.Recording) {
				r.Turns = []history.Turn{*turn(r.Run.Ref, 1, decide(history.RunCompleted)).Turn, {Seq: 2}}
			},
			"give the right ones": func(r *history.Recording) { r.Sources = history.Sources{} },
		} {
			bad := good
			spoil(&bad)
			require.ErrorContains(t, s.Import(ctx, bad), want)
		}
		require.Empty(t, collect(t, s.Runs(ctx, history.Filter{})))
		require.NoError(t, s.Import(ctx, good))
	},
	"Delete removes what has ended": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "r", "other")
		commit(t, s, me, turn(ref("r", 1), 1), turn(ref("other", 1), 1), turn(ref("r", 1), 2))
		require.ErrorIs(t, other.Delete(ctx, ref("r", 1)), history.ErrOpen)
		require.ErrorIs(t, other.Delete(ctx, ref("x", 0)), history.ErrNotFound)
		commit(t, s, me, turn(ref("r", 1), 3, decide(history.RunContinued)))
		start(t, s, me, "r")
		require.ErrorIs(t, s.Delete(ctx, ref("r", 0)), history.ErrOpen)
		require.NoError(t, other.Delete(ctx, ref("r", 1)))
		for _, err := range s.Turns(ctx, ref("r", 1), 0) {
			require.ErrorIs(t, err, history.ErrNotFound)
		}
		_, err := s.Run(ctx, ref("r", 1))
		require.ErrorIs(t, err, history.ErrNotFound)
		require.Equal(t, ref("r", 2), get(t, s, ref("r", 0)).Ref)
		commit(t, s, me, turn(ref("r", 2), 1, decide(history.RunCompleted)), turn(ref("other", 1), 2))
		require.NoError(t, s.Delete(ctx, ref("r", 0)))
		require.Equal(t, []string{"other"}, ids(collect(t, s.Runs(ctx, history.Filter{}))))
		require.Len(t, collect(t, s.Turns(ctx, ref("other", 1), 0)), 2)
		start(t, s, me, "r")
		require.Equal(t, ref("r", 1), get(t, s, ref("r", 0)).Ref, "nobody knows of the others")
		require.Empty(t, collect(t, s.Turns(ctx, ref("r", 1), 0)))
		require.ErrorIs(t, refused(t, s, me, turn(ref("r", 2), 1)), history.ErrNotFound)
	},
}
