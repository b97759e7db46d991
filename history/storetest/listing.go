package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

var listing = map[string]test{
	"runs are listed newest first and filtered": func(t *testing.T, s, other history.Store) {
		require.Empty(t, collect(t, s.Runs(ctx, history.Filter{})))
		me := join(t, s)
		for i := range 5 {
			n := newRun(fmt.Sprint(i))
			n.Run.Created = after(time.Duration(i) * time.Second)
			if i == 3 {
				n.Run.Workflow = "other"
				n.Run.Parent = &history.Parent{Ref: ref("1", 1), Op: "/1", OnParentClose: "cancel"}
			}
			commit(t, s, me, history.Step{Start: []history.NewRun{n}})
		}
		commit(t, s, me, turn(ref("2", 1), 1, decide(history.RunCompleted)))
		for _, c := range []struct {
			filter history.Filter
			want   string
		}{
			{history.Filter{}, "43210"},
			{history.Filter{Limit: 2}, "43"},
			{history.Filter{Limit: 9}, "43210"},
			{history.Filter{Status: history.Open}, "4310"},
			{history.Filter{Status: history.Open, Limit: 3}, "431"},
			{history.Filter{Status: history.Completed}, "2"},
			{history.Filter{Status: "unheard of"}, ""},
			{history.Filter{Workflow: "other"}, "3"},
			{history.Filter{Parent: "1"}, "3"},
			{history.Filter{Parent: "1", Status: history.Failed}, ""},
			{history.Filter{Since: after(3 * time.Second)}, "43"},
			{history.Filter{Since: after(3*time.Second + 1)}, "4"},
			{history.Filter{Since: after(2 * time.Second), Status: history.Open, Workflow: "w"}, "4"},
		} {
			require.Equal(t, c.want, listed(t, other, c.filter), "%+v", c.filter)
		}
		commit(t, s, me, history.Step{Ref: ref("0", 1), Halt: "no"})
		require.Equal(t, "0", listed(t, other, history.Filter{Status: history.Open, Halted: true}))
		require.Equal(t, "0", listed(t, other, history.Filter{Halted: true, Limit: 2}))
		for run := range s.Runs(ctx, history.Filter{}) {
			require.Equal(t, "4", run.ID)
			break
		}
	},
	"newest is by when a run was created, and then by when it came": func(t *testing.T, s, other history.Store) {
		for _, c := range []struct {
			id string
			at int
		}{{"b", 1}, {"a", 0}, {"d", 2}, {"c", 1}} {
			n := newRun(c.id)
			n.Run.Created = after(time.Duration(c.at))
			require.NoError(t, s.Create(ctx, n))
		}
		require.Equal(t, "dcba", listed(t, s, history.Filter{}))
		require.Equal(t, "dc", listed(t, s, history.Filter{Limit: 2, Status: history.Open}))
	},
	"the prefix of an ID is text": func(t *testing.T, s, other history.Store) {
		for _, id := range []string{"a", "ab", "aé", "b", "a%", "a\xff", "a\xffc", "\xff\xff", "A"} {
			require.NoError(t, s.Create(ctx, newRun(id)))
		}
		for prefix, want := range map[string]int{"": 9, "a": 6, "ab": 1, "a%": 1, "aé": 1, "a\xff": 2, "\xff": 1, "c": 0, "A": 1, "\xff\xff": 1} {
			require.Len(t, collect(t, s.Runs(ctx, history.Filter{Prefix: prefix})), want, "%q", prefix)
			require.Len(t, collect(t, s.Runs(ctx, history.Filter{Prefix: prefix, Status: history.Open})), want, "%q", prefix)
		}
	},
	"the store can be used while runs and turns are listed": func(t *testing.T, s, other history.Store) {
		me := join(t, s)
		start(t, s, me, "a", "b")
		commit(t, s, me, turn(ref("a", 1), 1), turn(ref("b", 1), 1))
		seen := 0
		for run, err := range s.Runs(ctx, history.Filter{}) {
			require.NoError(t, err)
			for _, err := range s.Turns(ctx, run.Ref, 0) {
				require.NoError(t, err)
				commit(t, s, me, turn(run.Ref, 2))
				start(t, s, me, "new "+run.ID)
				require.Equal(t, int64(2), get(t, other, run.Ref).Turns)
				seen++
			}
		}
		require.Equal(t, 2, seen, "the runs and turns there were")
	},
}

func listed(t *testing.T, s history.Store, f history.Filter) (all string) {
	t.Helper()
	for _, run := range collect(t, s.Runs(ctx, f)) {
		all += run.ID
	}
	return all
}
