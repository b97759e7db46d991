package operate_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow/virtual"
)

// busy is a desk with runs in every state.
func busy(t *testing.T) *desk {
	d := newDesk(t)
	approve := func(w *virtual.World, r *virtual.Run) {
		w.At(time.Minute, func() { require.NoError(t, r.Signal("approve", "Ann")) })
	}
	d.order("order-done", time.Hour, map[string]virtual.Activity{"pack": returns(), "charge": func(c virtual.Call) virtual.Plan {
		if c.Attempt == 1 {
			return virtual.Fails("Busy", "not now")
		}
		return virtual.Returns("r1").After(3 * time.Second)
	}}, approve)
	d.order("order-failed", time.Hour, map[string]virtual.Activity{"pack": returns(), "charge": func(virtual.Call) virtual.Plan {
		return virtual.Fails("CardDeclined", "no money").After(time.Second)
	}}, approve)
	d.order("order-cancelled", 30*time.Second, map[string]virtual.Activity{"pack": returns(), "charge": returns("r1")}, func(w *virtual.World, r *virtual.Run) {
		w.At(20*time.Second, func() { require.NoError(t, r.Cancel("out of stock")) })
	})
	d.order("order-open", 40*time.Minute, map[string]virtual.Activity{"charge": hangs, "pack": hangs}, nil)
	owner := d.drive("flowlua run, process 812 on box", "order-open")
	d.write(owner, history.Step{Ref: history.Ref{ID: "order-open", Number: 1}, Attempts: []history.Attempt{{
		Op: "/1t/2", Number: 2, Failures: 2, Next: d.now.Add(8 * time.Second),
		Failure: &history.Failure{Name: "Busy", Message: "not now"}, Details: json.RawMessage(`{"page":3}`), Heard: d.now.Add(-12 * time.Second),
	}}})
	return d
}

// TestLooking is what the verbs that read answer, as testdata has it; -update writes it.
func TestLooking(t *testing.T) {
	d := busy(t)
	d.Width = 80
	d.typed("list", func() error { return d.List(ctx, operate.ListOptions{}) })
	d.typed("list --status failed --limit 1", func() error { return d.List(ctx, operate.ListOptions{Status: "failed", Limit: 1}) })
	d.typed("list --workflow order --limit 2", func() error { return d.List(ctx, operate.ListOptions{Workflow: "order", Limit: 2}) })
	d.typed("list --status faild", func() error { return d.List(ctx, operate.ListOptions{Status: "faild"}) })
	d.typed("list --since soon", func() error { return d.List(ctx, operate.ListOptions{Since: "soon"}) })
	for _, id := range []string{"order-open", "order-open/1t/1/1", "order-d", "order-failed", "order-cancelled", "@last", "order", "xorder"} {
		d.typed("show "+id, func() error { return d.Show(ctx, id, operate.ShowOptions{}) })
	}
	d.typed("show order-done --events", func() error { return d.Show(ctx, "order-done", operate.ShowOptions{Events: true}) })
	for _, id := range []string{"order-open", "order-done", "order-failed", "order-cancelled"} {
		d.typed("tree "+id, func() error { return d.Tree(ctx, id) })
	}
	for _, id := range []string{"order-open", "order-done", "order-failed"} {
		d.typed("stack "+id, func() error { return d.Stack(ctx, id) })
	}
	d.typed("query order-open", func() error { return d.Query(ctx, "order-open", "", nil) })
	d.typed("query order-open price 0.5", func() error { return d.Query(ctx, "order-open", "price", []json.RawMessage{json.RawMessage("0.5")}) })
	d.typed("query order-open prise", func() error { return d.Query(ctx, "order-open", "prise", nil) })
	d.typed("query order-open price {}", func() error { return d.Query(ctx, "order-open", "price", []json.RawMessage{json.RawMessage("{}")}) })
	d.compare("looking.txt")
}

// TestDocuments is the same as JSON.
func TestDocuments(t *testing.T) {
	d := busy(t)
	d.Format = operate.JSON
	d.typed("list --since 1h -o json", func() error { return d.List(ctx, operate.ListOptions{Since: "1h", Workflow: "order"}) })
	d.typed("show order-open -o json", func() error { return d.Show(ctx, "order-open", operate.ShowOptions{}) })
	d.typed("tree order-open -o json", func() error { return d.Tree(ctx, "order-open") })
	d.typed("stack order-open -o json", func() error { return d.Stack(ctx, "order-open") })
	d.typed("query order-open price -o json", func() error { return d.Query(ctx, "order-open", "price", nil) })
	d.typed("replay order-done --to 6 -o json", func() error { return d.Replay(ctx, "order-done", operate.ReplayOptions{To: 6}) })
	d.typed("signal order-open approve -o json", func() error { return d.Signal(ctx, "order-open", "approve", nil) })
	d.Format = operate.JSONL
	d.typed("show order-done --events -o jsonl", func() error { return d.Show(ctx, "order-done", operate.ShowOptions{Events: true}) })
	d.typed("list --limit 1 -o jsonl", func() error { return d.List(ctx, operate.ListOptions{Limit: 1}) })
	d.typed("show order-done -o jsonl", func() error { return d.Show(ctx, "order-done", operate.ShowOptions{}) })
	d.compare("documents.txt")
}

// TestHalted: a run that an engine error has stopped says so, and what to do.
func TestHalted(t *testing.T) {
	d := busy(t)
	run, err := d.store.Run(ctx, history.Ref{ID: "order-open"})
	require.NoError(t, err)
	d.write(run.Owner, history.Step{Ref: run.Ref, Halt: "the script used more than its limit Memory allows"})
	d.typed("list --limit 2", func() error { return d.List(ctx, operate.ListOptions{Limit: 2}) })
	d.typed("show order-open", func() error { return d.Show(ctx, "order-open", operate.ShowOptions{}) })
	d.typed("show order-open --follow", func() error { return d.Show(ctx, "order-open", operate.ShowOptions{Follow: true}) })
	d.typed("signal order-open approve", func() error { return d.Signal(ctx, "order-open", "approve", nil) })
	d.Color = true
	d.typed("list --workflow order", func() error { return d.List(ctx, operate.ListOptions{Workflow: "order"}) })
	d.compare("halted.txt")
}
