package operate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow/virtual"
)

// Attempts that were cut off are not counted, in show as in tree.
func TestAttemptsAfterCrashes(t *testing.T) {
	d := newDesk(t)
	d.order("order-7", time.Minute, map[string]virtual.Activity{"pack": returns(), "charge": hangs}, nil)
	owner := d.drive("an engine", "order-7")
	busy := &history.Failure{Name: "Busy"}
	for _, c := range []struct {
		attempt    history.Attempt
		show, tree string
	}{
		{history.Attempt{Number: 4}, "attempt 1 of 3, begun 4 times", ""},
		{history.Attempt{Number: 4, Failures: 1, Failure: busy}, "attempt 2 of 3, begun 3 times", "attempt 2/3"},
		{history.Attempt{Number: 5, Failures: 2, Failure: busy, Next: d.now.Add(5 * time.Second)}, "attempt 3 of 3 in 5s", "attempt 2/3"},
		{history.Attempt{Number: 2, Failures: 1, Failure: busy}, "attempt 2 of 3, began", "attempt 2/3"},
	} {
		c.attempt.Op = "/1t/2"
		d.write(owner, history.Step{Ref: history.Ref{ID: "order-7", Number: 1}, Attempts: []history.Attempt{c.attempt}})
		require.NoError(t, d.Show(ctx, "order-7", operate.ShowOptions{}))
		require.Contains(t, d.said(), c.show)
		require.NoError(t, d.Tree(ctx, "order-7"))
		said := d.said()
		require.Contains(t, said, c.tree)
		require.NotContains(t, said, "attempt 4")
		require.NotContains(t, said, "attempt 5")
	}
}
