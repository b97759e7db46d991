package operate_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow/virtual"
)

func raw(texts ...string) (list []json.RawMessage) {
	for _, text := range texts {
		list = append(list, json.RawMessage(text))
	}
	return list
}

// TestChanging is what the verbs that change something answer.
func TestChanging(t *testing.T) {
	d := busy(t)
	d.order("order-alone", 5*time.Minute, map[string]virtual.Activity{"charge": hangs, "pack": returns()}, nil)
	d.typed(`signal order-open approve '"Ann"'`, func() error { return d.Signal(ctx, "order-open", "approve", raw(`"Ann"`)) })
	d.typed("signal order-alone approve", func() error { return d.Signal(ctx, "order-alone", "approve", nil) })
	d.typed("cancel order-alone --reason 'too late'", func() error { return d.Cancel(ctx, "order-alone", "too late") })
	for _, id := range []string{"order-done", "order-failed", "order-cancelled"} {
		d.typed("cancel "+id, func() error { return d.Cancel(ctx, id, "") })
	}
	owner := d.drive("an engine", "order-alone")
	mail, err := d.store.Inbox(ctx, owner, 0)
	require.NoError(t, err)
	require.Len(t, mail, 2)
	require.Equal(t, history.Event{Kind: history.SignalReceived, Name: "approve", Payload: json.RawMessage("[]")}, mail[0].Event)
	require.Equal(t, history.Event{Kind: history.CancelRequested, Payload: json.RawMessage(`["too late"]`)}, mail[1].Event)

	d.typed("delete order-alone", func() error { return d.Delete(ctx, []string{"order-alone"}, nil) })
	d.typed("delete order-done order-alone", func() error { return d.Delete(ctx, []string{"order-done", "order-alone"}, nil) })
	d.typed("delete order-done order-failed order-done", func() error { return d.Delete(ctx, []string{"order-done", "order-failed", "order-done"}, nil) })
	require.NoError(t, d.store.Leave(ctx, owner))
	d.typed("terminate order-alone --reason 'no more'", func() error { return d.Terminate(ctx, "order-alone", "no more") })
	run, err := d.store.Run(ctx, history.Ref{ID: "order-alone"})
	require.NoError(t, err)
	require.Equal(t, history.Failed, run.Status)
	require.Equal(t, &history.Failure{Name: "TerminatedError", Message: "no more"}, run.Failure)
	d.typed("show order-done", func() error { return d.Show(ctx, "order-done", operate.ShowOptions{}) })
	d.compare("changing.txt")
}

// TestUpgrade moves runs to another script if it fits them.
func TestUpgrade(t *testing.T) {
	d := busy(t)
	d.order("order-alone", 5*time.Minute, map[string]virtual.Activity{"charge": hangs, "pack": hangs}, nil)
	fixed := operate.UpgradeOptions{Program: program(t, "shop.lua", strings.Replace(shop, `"closed"`, `"archived"`, 1)), Shown: "fixed.lua"}
	other := operate.UpgradeOptions{Program: program(t, "shop.lua", strings.Replace(shop, `charge(order)`, `pack(order.id)`, 1)), Shown: "other.lua"}
	without := operate.UpgradeOptions{Program: program(t, "shop.lua", strings.Replace(shop, `flow.workflow("order"`, `flow.workflow("orders"`, 1)), Shown: "without.lua"}
	dry := fixed
	dry.DryRun = true
	d.typed("upgrade order-alone fixed.lua --dry-run", func() error { return d.Upgrade(ctx, "order-alone", dry) })
	d.typed("upgrade order-alone other.lua", func() error { return d.Upgrade(ctx, "order-alone", other) })
	d.typed("upgrade order-alone without.lua", func() error { return d.Upgrade(ctx, "order-alone", without) })
	run, err := d.store.Run(ctx, history.Ref{ID: "order-alone"})
	require.NoError(t, err)
	require.NotEqual(t, fixed.Program.Hash(), run.Program)
	d.typed("upgrade order-alone fixed.lua", func() error { return d.Upgrade(ctx, "order-alone", fixed) })
	run, err = d.store.Run(ctx, history.Ref{ID: "order-alone"})
	require.NoError(t, err)
	require.Equal(t, fixed.Program.Hash(), run.Program)
	d.typed("upgrade order-alone fixed.lua", func() error { return d.Upgrade(ctx, "order-alone", fixed) })
	d.now = d.now.Add(time.Minute) // the driver of order-open is dead
	d.typed("upgrade --all --workflow order fixed.lua", func() error { return d.UpgradeAll(ctx, "order", fixed) })
	d.typed("upgrade --all --workflow order other.lua", func() error { return d.UpgradeAll(ctx, "order", other) })
	d.typed("upgrade --all other.lua", func() error { return d.UpgradeAll(ctx, "", other) })
	d.typed("upgrade order-done fixed.lua", func() error { return d.Upgrade(ctx, "order-done", fixed) })
	d.typed("db check --replay", func() error { return d.Check(ctx, true) })
	d.compare("upgrade.txt")
}

// TestReplay tells where a script does not decide again what the history says.
func TestReplay(t *testing.T) {
	d := busy(t)
	d.Width = 100
	d.typed("replay order-done", func() error { return d.Replay(ctx, "order-done", operate.ReplayOptions{}) })
	d.typed("replay order-done --to 6", func() error { return d.Replay(ctx, "order-done", operate.ReplayOptions{To: 6}) })
	d.typed("replay order-done --to 99", func() error { return d.Replay(ctx, "order-done", operate.ReplayOptions{To: 99}) })
	changed := program(t, "changed.lua", strings.Replace(shop, `"closed"`, `"archived"`, 1))
	d.typed("replay order-done --script changed.lua", func() error {
		return d.Replay(ctx, "order-done", operate.ReplayOptions{Program: changed, Shown: "changed.lua"})
	})
	d.compare("replay.txt")
}

// TestExportAndImport carries a run from one store to another.
func TestExportAndImport(t *testing.T) {
	d, e := busy(t), newDesk(t)
	for _, id := range []string{"order-done", "order-open"} {
		require.NoError(t, d.Export(ctx, id))
		text := d.said()
		e.typed("import "+id+".json", func() error { return e.Import(ctx, strings.NewReader(text), id+".json") })
		e.typed("import "+id+".json", func() error { return e.Import(ctx, strings.NewReader(text), id+".json") })
		require.NoError(t, e.Export(ctx, id))
		require.Equal(t, text, e.said())
		rec, err := history.ReadRecording(strings.NewReader(text))
		require.NoError(t, err)
		e.typed("replay "+id+".json", func() error { return e.ReplayRecording(ctx, &rec, operate.ReplayOptions{}) })
		broken := strings.Replace(text, `"shop.lua"`, `"shop.lua" `, 1)
		broken = strings.Replace(broken, "10s", "20s", 1)
		e.typed("import broken.json", func() error { return e.Import(ctx, strings.NewReader(broken), "broken.json") })
	}
	e.typed("import shop.lua", func() error { return e.Import(ctx, strings.NewReader(shop), "shop.lua") })
	e.typed("db check", func() error { return e.Check(ctx, false) })
	e.compare("keeping.txt")
}

// TestContinued is about runs that continue each other under one ID.
func TestContinued(t *testing.T) {
	d := newDesk(t)
	d.script("count.lua", `local flow = require "flow"
flow.workflow("count", function(o)
  flow.sleep("1m")
  if o.id >= 9 then return o.id end
  flow.continue_as_new { id = o.id + 1 }
end)`, "counter", "count", 10*time.Minute, nil, nil)
	d.typed("list", func() error { return d.List(ctx, operate.ListOptions{}) })
	for _, id := range []string{"counter", "counter#1", "counter#4", "count#2"} {
		d.typed("show "+id, func() error { return d.Show(ctx, id, operate.ShowOptions{}) })
	}
	d.typed("show counter#1 --follow", func() error { return d.Show(ctx, "counter#1", operate.ShowOptions{Follow: true}) })
	d.typed("db check", func() error { return d.Check(ctx, true) })
	d.typed("delete counter#2", func() error { return d.Delete(ctx, []string{"counter#2"}, nil) })
	d.typed("db check", func() error { return d.Check(ctx, true) })
	d.compare("continued.txt")
}

// TestCheckFinds: what cannot be is found.
func TestCheckFinds(t *testing.T) {
	d := busy(t)
	require.NoError(t, d.Export(ctx, "order-done"))
	rec, err := history.ReadRecording(&d.out)
	require.NoError(t, err)
	rec.Run.ID = "copy"
	rec.Turns[2].Events = append(rec.Turns[2].Events, rec.Turns[2].Events[0], history.Event{Kind: history.TimerFired, Op: "/9"})
	rec.Turns[3].Time = rec.Turns[0].Time
	require.NoError(t, d.store.Import(ctx, rec))
	require.ErrorIs(t, d.Check(ctx, false), operate.Unsound)
	require.Equal(t, `copy: operation /1t/2 ends twice, in turn 3 and in turn 3
copy: turn 3 has TimerFired of operation /9, which was not begun
copy: turn 4 is earlier than the turn before
3 problems in 9 runs, 23 turns, 64 events
`, d.said())
}

// TestComplete is what a shell proposes.
func TestComplete(t *testing.T) {
	d := busy(t)
	require.Equal(t, []string{
		"order-open/1t/1/1\tparcel, open, 40m ago", "order-open\torder, open, 40m ago", "@last\tthe newest run",
	}, d.Complete(ctx, "", true))
	require.Equal(t, []string{"order-done/1t/1/1\tparcel, completed, 2h40m ago", "order-done\torder, completed, 2h40m ago"}, d.Complete(ctx, "order-d", false))
}
