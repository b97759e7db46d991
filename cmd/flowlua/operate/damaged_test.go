package operate_test

import (
	"context"
	"iter"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow/virtual"
)

// torn is a store that has lost a turn of each run.
type torn struct {
	history.Store
	seq int64
}

func (s torn) Turns(ctx context.Context, ref history.Ref, after int64) iter.Seq2[history.Turn, error] {
	return func(yield func(history.Turn, error) bool) {
		for t, err := range s.Store.Turns(ctx, ref, after) {
			if (err != nil || t.Seq != s.seq) && !yield(t, err) {
				return
			}
		}
	}
}

// A run of which turns are missing does not look as if all were well.
func TestTurnsThatAreMissing(t *testing.T) {
	for _, want := range []string{"turn 2 is missing in its history", "turns, of which"} {
		d := newDesk(t)
		d.order("order-7", time.Minute, map[string]virtual.Activity{"pack": returns(), "charge": returns("r1")}, func(w *virtual.World, r *virtual.Run) {
			w.At(time.Second, func() { require.NoError(t, r.Signal("other")) })
			w.At(2*time.Second, func() { require.NoError(t, r.Signal("other")) })
		})
		run, err := d.store.Run(ctx, history.Ref{ID: "order-7"})
		require.NoError(t, err)
		seq := int64(2)
		if want == "turns, of which" {
			seq = run.Turns // the last
		}
		d.Store = torn{d.store, seq}
		require.NoError(t, d.Show(ctx, "order-7", operate.ShowOptions{}))
		require.Contains(t, d.said(), "problem    its history is damaged: the run has made")
		d.Format = operate.JSON
		require.NoError(t, d.Show(ctx, "order-7", operate.ShowOptions{}))
		require.Contains(t, d.said(), `"problem": "its history is damaged`)
		require.ErrorContains(t, d.Stack(ctx, "order-7"), want)
		require.ErrorContains(t, d.Query(ctx, "order-7", "price", nil), want)
		require.ErrorIs(t, d.Replay(ctx, "order-7", operate.ReplayOptions{}), operate.NotIdentical)
		require.Contains(t, d.said(), want)
	}
}
