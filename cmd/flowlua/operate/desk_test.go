package operate_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/virtual"
)

// shop is the script of most tests: a payment that is tried again, a parcel, a signal.
const shop = `local flow = require "flow"

local charge = flow.activity("charge", { retry = { initial = "10s", max_attempts = 3 } })
local pack = flow.activity("pack")
local parcel = flow.workflow("parcel", function(id)
  pack(id):await()
  return "parcel " .. id
end)

local function approval()
  return flow.signal("approve"):await("2h")
end

flow.workflow("order", function(order)
  flow.query("price", function(tax) return order.price * (1 + (tax or 0)) end)
  flow.status("charging")
  return flow.try {
    function()
      flow.spawn(function() parcel(order.id):await() end)
      local receipt = charge(order)
      flow.status("waiting for approval")
      local who = approval()
      return { receipt = receipt:await(), approved = who }
    end,
    catch = { CardDeclined = function(err) error(err) end },
    finally = function() flow.status("closed") end,
  }
end)
`

// desk is a store with runs in it, made in virtual time, and a console on it.
type desk struct {
	*testing.T
	operate.Console
	store    *history.Memory
	now      time.Time
	out, err bytes.Buffer
	log      strings.Builder // of what was typed, and the answers
}

var (
	ctx   = context.Background()
	start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// program compiles a script.
func program(t *testing.T, file, source string) *workflow.Program {
	t.Helper()
	p, err := workflow.LoadProgram(fstest.MapFS{file: {Data: []byte(source)}}, file)
	require.NoError(t, err)
	return p
}

func newDesk(t *testing.T) *desk {
	d := &desk{T: t, store: new(history.Memory), now: start}
	d.Console = operate.Console{Store: d.store, Out: &d.out, Err: &d.err, Now: func() time.Time { return d.now }}
	return d
}

// order adds a run of the shop, as it is after some time.
func (d *desk) order(id string, after time.Duration, plans map[string]virtual.Activity, happen func(w *virtual.World, r *virtual.Run)) {
	d.Helper()
	d.script("shop.lua", shop, id, "order", after, plans, happen)
}

func (d *desk) script(file, source, id, workflow string, after time.Duration, plans map[string]virtual.Activity, happen func(w *virtual.World, r *virtual.Run)) {
	d.Helper()
	w := virtual.New(virtual.Config{Program: program(d.T, file, source), Activities: plans, Start: d.now})
	r, err := w.Start(id, workflow, map[string]any{"id": 7, "price": 100})
	require.NoError(d, err)
	if happen != nil {
		happen(w, r)
	}
	require.NoError(d, w.RunFor(after))
	for _, run := range w.All() {
		require.NoError(d, d.store.Import(ctx, run.Recording()))
		run.Execution().Close()
	}
	d.now = d.now.Add(after)
}

// drive makes an engine that has taken up runs.
func (d *desk) drive(name string, ids ...string) (owner int64) {
	d.Helper()
	owner, err := d.store.Join(ctx, history.Owner{Name: name, Until: d.now.Add(10 * time.Second)})
	require.NoError(d, err)
	claimed, err := d.store.Claim(ctx, history.Claim{Owner: owner, Now: d.now, IDs: ids})
	require.NoError(d, err)
	require.Len(d, claimed, len(ids))
	return owner
}

// write is a step of an engine.
func (d *desk) write(owner int64, step history.Step) {
	d.Helper()
	written, err := d.store.Commit(ctx, owner, []history.Step{step})
	require.NoError(d, err)
	require.NoError(d, written[0].Err)
}

// said is what was answered since it was last asked.
func (d *desk) said() string {
	text := d.out.String()
	d.out.Reset()
	return text
}

var update = flag.Bool("update", false, "rewrite what is expected in testdata")

// typed notes a command and what it answers; the command itself is called.
func (d *desk) typed(command string, call func() error) {
	d.out.Reset()
	d.err.Reset()
	err := call()
	d.log.WriteString("$ flowlua " + command + "\n" + d.out.String() + d.err.String())
	if err != nil && !errors.Is(err, operate.NotIdentical) && !errors.Is(err, operate.Unsound) {
		d.log.WriteString("flowlua: " + err.Error() + "\n")
	}
	d.log.WriteString("\n")
}

var took = regexp.MustCompile(`(turns?), \d+m?s\)`)

// compare holds what was noted against a file.
func (d *desk) compare(file string) {
	d.Helper()
	got := took.ReplaceAllString(d.log.String(), "$1, …)")
	file = filepath.Join("testdata", file)
	if *update {
		require.NoError(d, os.MkdirAll("testdata", 0o755))
		require.NoError(d, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(d, err)
	require.Equal(d, string(want), got)
}

func returns(v ...any) virtual.Activity {
	return func(virtual.Call) virtual.Plan { return virtual.Returns(v...) }
}
func hangs(virtual.Call) virtual.Plan { return virtual.Hangs() }
