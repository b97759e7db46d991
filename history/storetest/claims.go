package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

func claim(t *testing.T, s history.Store, c history.Claim) []history.Run {
	t.Helper()
	if c.Now.IsZero() {
		c.Now = epoch
	}
	runs, err := s.Claim(ctx, c)
	require.NoError(t, err)
	for _, run := range runs {
		require.Equal(t, c.Owner, run.Owner)
		require.Empty(t, run.Halted)
		require.Equal(t, run, get(t, s, run.Ref))
	}
	return runs
}

var claims = map[string]test{
	"the runs of an owner whose lease is over": func(t *testing.T, s, other history.Store) {
		me, she := join(t, s), join(t, other)
		start(t, s, me, "a", "b", "closed")
		commit(t, s, me, turn(ref("closed", 1), 1, decide(history.RunCompleted)), turn(ref("b", 1), 1))
		require.Empty(t, claim(t, other, history.Claim{Owner: she, Now: after(time.Hour - 1)}), "no sooner than its time is up")
		send(t, other, history.Mail{To: "a", Event: signal("s")})
		require.ElementsMatch(t, []string{"a", "b"}, ids(claim(t, other, history.Claim{Owner: she, Now: after(time.Hour)})))
		nothing(t, s, get(t, s, ref("a", 1)), func() {
			_, err := s.Commit(ctx, me, []history.Step{turn(ref("a", 1), 1), {Start: []history.NewRun{newRun("x")}, Send: []history.Mail{{To: "b", Event: signal("x")}}}})
			require.ErrorIs(t, err, history.ErrFenced)
		})
		_, err := s.Run(ctx, ref("x", 0))
		require.ErrorIs(t, err, history.ErrNotFound)
		require.ErrorIs(t, s.Renew(ctx, me, after(9*time.Hour)), history.ErrFenced)
		require.Empty(t, inbox(t, s, me, 0))
		require.Equal(t, []string{"s"}, inbox(t, other, she, 0))
		commit(t, other, she, turn(ref("a", 1), 1), turn(ref("b", 1), 2))

		again := join(t, s)
		require.Greater(t, again, she)
		require.ErrorIs(t, refused(t, s, again, turn(ref("a", 1), 2)), history.ErrConflict)
	},
	"owned are the open runs of an owner, and nobody's but for halted ones": func(t *testing.T, s, other history.Store) {
		me, she := join(t, s), join(t, other)
		start(t, s, me, "a", "b", "c", "closed", "halted")
		start(t, other, she, "hers")
		require.NoError(t, s.Create(ctx, newRun("nobody's")))
		commit(t, s, me, turn(ref("closed", 1), 1, decide(history.RunCompleted)), history.Step{Ref: ref("halted", 1), Halt: "no"})
		owned := func(owner int64) (all []string) {
			refs, err := other.Owned(ctx, owner)
			require.NoError(t, err)
			for _, r := range refs {
				require.Equal(t, 1, r.Number)
				all = append(all, r.ID)
			}
			return all
		}
		require.Equal(t, []string{"a", "b", "c"}, owned(me))
		require.Equal(t, []string{"hers"}, owned(she))
		require.Equal(t, []string{"nobody's"}, owned(0))
		require.Empty(t, owned(99))
	},
	"one's own lease does not end by one's own claim": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "a")
		require.Empty(t, claim(t, s, history.Claim{Owner: me, Now: after(9 * time.Hour)}))
		commit(t, s, me, turn(ref("a", 1), 1))
	},
	"some of what is nobody's": func(t *testing.T, s, other history.Store) {
		me, she := join(t, s), join(t, other)
		for _, id := range []string{"a", "b", "c", "d"} {
			require.NoError(t, s.Create(ctx, newRun(id)))
		}
		require.Len(t, claim(t, s, history.Claim{Owner: me, Limit: 2}), 2)
		require.Len(t, claim(t, other, history.Claim{Owner: she, Limit: 1}), 1)
		require.Len(t, claim(t, s, history.Claim{Owner: me, Limit: 9}), 1)
		require.Empty(t, claim(t, s, history.Claim{Owner: me}))
	},
	"those that are named": func(t *testing.T, s, other history.Store) {
		me, she := join(t, s), join(t, other)
		for _, id := range []string{"a", "b", "c", "d"} {
			require.NoError(t, s.Create(ctx, newRun(id)))
		}
		start(t, other, she, "hers")
		require.Empty(t, claim(t, s, history.Claim{Owner: me, IDs: []string{}}))
		require.ElementsMatch(t, []string{"b", "d"}, ids(claim(t, s, history.Claim{Owner: me, IDs: []string{"b", "x", "d", "hers", "b"}})))
		require.Len(t, claim(t, s, history.Claim{Owner: me, IDs: []string{"a", "c"}, Limit: 1}), 1)
	},
	"a run that an engine error has halted only if it is named": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "a", "b")
		step := turn(ref("a", 1), 1)
		step.Halt = "NonDeterminismError: …"
		step.Wake = after(time.Minute)
		step.Send = []history.Mail{{To: "b", Event: signal("hello"), Sent: new(signal("sent"))}}
		commit(t, s, me, step, history.Step{Ref: ref("b", 1), Halt: "b's"})
		run := get(t, other, ref("a", 1))
		require.Equal(t, step.Halt, run.Halted)
		require.Zero(t, run.Owner)
		require.Equal(t, step.Wake, run.Wake)
		require.Equal(t, int64(1), run.Turns)
		require.Equal(t, history.Open, run.Status)
		require.ErrorIs(t, refused(t, s, me, turn(ref("a", 1), 2)), history.ErrConflict)
		require.Empty(t, claim(t, s, history.Claim{Owner: me}))
		require.Equal(t, []string{"a"}, ids(claim(t, s, history.Claim{Owner: me, IDs: []string{"a"}})))
		require.Equal(t, []string{"sent"}, inbox(t, s, me, 0), "its mail waits for it")
		commit(t, s, me, turn(ref("a", 1), 2))
		require.Equal(t, "b's", get(t, s, ref("b", 1)).Halted)
	},
	"a run that its owner leaves alone is for others": func(t *testing.T, s, other history.Store) {
		me, she := join(t, s), join(t, other)
		start(t, s, me, "a", "b", "closed")
		step := turn(ref("a", 1), 1)
		step.Leave = true
		end := turn(ref("closed", 1), 1, decide(history.RunCompleted))
		end.Leave = true
		commit(t, s, me, step, end)
		require.Zero(t, get(t, other, ref("a", 1)).Owner)
		require.Equal(t, history.Completed, get(t, other, ref("closed", 1)).Status)
		require.ErrorIs(t, refused(t, s, me, turn(ref("a", 1), 2)), history.ErrConflict)
		require.Empty(t, claim(t, s, history.Claim{Owner: me, Except: map[history.Ref]int64{ref("a", 1): 1}}))
		require.Equal(t, []string{"a"}, ids(claim(t, other, history.Claim{Owner: she})))
		commit(t, other, she, turn(ref("a", 1), 2))
	},
	"what is excepted until it has made a turn more": func(t *testing.T, s, other history.Store) {
		me, she := join(t, s), join(t, other)
		for _, id := range []string{"a", "b", "c"} {
			require.NoError(t, s.Create(ctx, newRun(id)))
		}
		except := map[history.Ref]int64{ref("a", 1): 0, ref("b", 1): 0, ref("c", 2): 7}
		require.Equal(t, []string{"c"}, ids(claim(t, s, history.Claim{Owner: me, Except: except})))
		require.Equal(t, []string{"a"}, ids(claim(t, s, history.Claim{Owner: me, IDs: []string{"a"}, Except: except})), "it is named")
		require.Equal(t, []string{"b"}, ids(claim(t, other, history.Claim{Owner: she})))
		step := turn(ref("b", 1), 1)
		step.Leave = true
		commit(t, other, she, step)
		require.Equal(t, []string{"b"}, ids(claim(t, s, history.Claim{Owner: me, Except: except})))
	},
	"a turn that ends a run halts it no more": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "a")
		step := turn(ref("a", 1), 1, decide(history.RunCompleted))
		step.Halt = "x"
		commit(t, s, me, step)
		require.Empty(t, get(t, s, ref("a", 1)).Halted)
	},
	"many runs at once": func(t *testing.T, s, other history.Store) {
		me, she := join(t, s), join(t, other)
		const n = 600
		steps := make([]history.Step, n)
		for i := range steps {
			steps[i].Start = []history.NewRun{newRun(string(rune('a' + i)))}
		}
		commit(t, s, me, steps...)
		runs, err := other.Claim(ctx, history.Claim{Owner: she, Now: after(time.Hour)})
		require.NoError(t, err)
		require.Len(t, runs, n)
	},
}
