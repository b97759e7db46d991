package workflow_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/virtual"
)

var anything = activities{
	"a": virtual.Always(virtual.Returns("a").After(time.Second)),
	"b": virtual.Always(virtual.Returns("b").After(time.Second)),
}

// replayWith replays the history of one script with another, up to a turn (0: all).
func replayWith(t *testing.T, old, changed string, turns int) (*workflow.Execution, error) {
	t.Helper()
	w := start(t, old, anything)
	w.finish()
	log := w.run.Turns()
	if turns > 0 {
		log = log[:turns]
	}
	e, err := workflow.Replay(workflow.Config{Program: load(t, preamble+changed), Run: history.Ref{ID: "r"}}, workflow.Turns(log))
	if e != nil {
		t.Cleanup(e.Close)
	}
	return e, err
}

func TestP223NonDeterminism(t *testing.T) {
	for _, c := range []struct {
		name, old, changed  string
		op                  string
		logged, asked, text string
		where               string
	}{
		{"another activity", `a(1):await()`, `b(1):await()`, "/1", `activity "a" with [1]`, `activity "b" with [1]`, `the log has activity "a" with [1], the script asks for activity "b" with [1] at main.lua:1`, "main.lua:1"},
		{"other arguments", `a(1):await()`, "a(2,\n3):await()", "/1", `activity "a" with [1]`, `activity "a" with [2,3]`, "", "main.lua:1"},
		{"another kind", `a(1):await()`, "\nflow.sleep(1)", "/1", `activity "a" with [1]`, "a timer due 2026-01-01T00:00:01Z", "", "main.lua:2"},
		{"another duration", `flow.sleep(1)`, "flow.sleep(2)", "/1", "a timer due 2026-01-01T00:00:01Z", "a timer due 2026-01-01T00:00:02Z", "", "main.lua:1"},
		{"one is missing", `a(1); b(2):await()`, `a(1):await()`, "/2", `activity "b" with [2]`, "nothing there", "", ""},
		{"one is missing, another in its place", `a(1); b(2):await()`, "a(1)\nflow.spawn(function() b(2) end)", "/2", `activity "b" with [2]`,
			`nothing there, but for activity "b" with [2] as operation /2/1 at main.lua:2`, "", ""},
		{"one too many", `a(1):await()`, "a(1)\nb(2):await()", "/2", "nothing", `activity "b" with [2]`, `operation /2: the log has nothing, the script asks for activity "b" with [2] at main.lua:2`, "main.lua:2"},
		{"too early an end", `a(1):await(); b(1):await()`, `a(1):await()`, "/2", `activity "b" with [1]`, "nothing there, but for completion with []", "", ""},
		{"another result", `return 1`, `return 2`, "", "completion with [1]", "completion with [2]", "turn 1: the log has completion", ""},
		{"failure for completion", `return 1`, `error("no")`, "", "completion with [1]", "failure with Error: no", "", ""},
		{"another status", `flow.status("x"); a():await()`, `flow.status("y"); a():await()`, "", `status ["x"]`, `status ["y"]`, "", ""},
		{"a side effect that was not there", `a():await()`, "\nflow.side_effect(function() return 1 end)", "/1", `activity "a" with []`, `side effect "main.lua:2"`, "", "main.lua:2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := replayWith(t, c.old, c.changed, 0)
			var mismatch *workflow.NonDeterminismError
			require.ErrorAs(t, err, &mismatch)
			require.Equal(t, c.op, mismatch.Op)
			require.Equal(t, c.logged, mismatch.Logged)
			require.Equal(t, c.asked, mismatch.Asked)
			require.Equal(t, c.where, mismatch.Where)
			require.ErrorContains(t, err, c.text)
			require.ErrorContains(t, err, "guard the change with flow.version")
		})
	}
}

func TestChangesThatFit(t *testing.T) {
	for name, c := range map[string][2]string{
		"order within a turn":              {`flow.spawn(function() a() end); flow.spawn(function() b() end)`, `flow.spawn(function() flow.yield(); a() end); flow.spawn(function() b() end)`},
		"options of an activity":           {`a():await()`, `a:with{ start_to_close = 5 }():await()`},
		"a side effect moves":              {`flow.side_effect(function() return 1 end)`, "\n\nflow.side_effect(function() return 2 end)"},
		"words of a failure":               {`error("one")`, "\nerror('two')"},
		"an edit in one branch and a line": {`flow.spawn(function() flow.sleep(3) end); a():await()`, "\nflow.spawn(function() local p = flow.promise(); p:set(1); p:await(); flow.sleep(3) end)\na():await()"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := replayWith(t, c[0], c[1], 0)
			require.NoError(t, err)
		})
	}
}

func TestMismatchIsNotSeenByTheScript(t *testing.T) {
	_, err := replayWith(t, `a():await()`, `flow.try { function() pcall(flow.side_effect, print) end, catch = function() end }:await(); a():await()`, 0)
	var mismatch *workflow.NonDeterminismError
	require.ErrorAs(t, err, &mismatch)
}

func TestRecordedValuesAreReadBack(t *testing.T) {
	w := start(t, `local u = flow.uuid(); local n = 0; local x = flow.side_effect(function() n = n + 1; return "made", 2 end); flow.sleep(1)
		return u == flow.uuid(), #u, x, math.random() == math.random()`, nil)
	w.completes(`[false,36,"made",false]`)
	require.Equal(t, "SideEffectRecorded main.lua:1, TimerStarted | RunCompleted", w.decisions())
}

func TestRandomDiffersByRunAndBranch(t *testing.T) {
	script := `local function draw() return math.random(1, 1e9) end; local p, q = flow.spawn(draw), flow.spawn(draw); return p:await(), q:await(), draw()`
	w := start(t, script, nil)
	other, err := w.Start("other", "")
	require.NoError(t, err)
	require.NoError(t, w.Run())
	seen := map[string]bool{}
	for _, r := range []*virtual.Run{w.run, other} {
		seen[string(r.Closing().Payload)] = true
	}
	require.Len(t, seen, 2)
	require.Equal(t, string(w.run.Closing().Payload), `[990960415,152488440,718281691]`, "the streams are the same in every release")
}

// P-224, P-225 as flow.version has them.
func TestVersions(t *testing.T) {
	w := start(t, `local v = flow.version("fix", 1, 3); flow.sleep(1); return v, flow.version("fix", 1, 4), flow.version("other", 0, 2)`, nil)
	w.completes(`[3,3,2]`)
	require.Equal(t, "VersionRecorded fix, TimerStarted | VersionRecorded other, RunCompleted", w.decisions())
}

func TestP225VersionAskedInReplayOfAnOldRun(t *testing.T) {
	changed := `if flow.version("fix", 0, 1) >= 1 then flow.sleep(99) end; a():await(); local late = flow.version("late", 0, 7); b():await()
		return flow.version("fix", 0, 1), late, flow.version("late", 0, 7)`
	e, err := replayWith(t, `a():await(); b():await()`, changed, 2)
	require.NoError(t, err)
	decisions, err := e.Turn(time.Now(), []history.Event{{Kind: history.ActivityCompleted, Op: "/2", Payload: payload(t)}})
	require.NoError(t, err)
	require.Len(t, decisions, 1)
	require.Equal(t, `[0,0,0]`, string(decisions[0].Payload), "what the old run has passed stays as it was, for good")

	e, err = replayWith(t, `a():await(); b():await()`, changed, 1)
	require.NoError(t, err)
	decisions, err = e.Turn(time.Now(), []history.Event{{Kind: history.ActivityCompleted, Op: "/1", Payload: payload(t)}})
	require.NoError(t, err)
	require.Equal(t, history.VersionRecorded, decisions[0].Kind, "what it has not reached is new")
	require.Equal(t, `[7]`, string(decisions[0].Payload))
}

func TestP226VersionOutOfRangeIsAnEngineError(t *testing.T) {
	for _, changed := range []string{`pcall(flow.version, "fix", 0, 2); a():await()`, `pcall(flow.version, "fix", 4, 5); a():await()`} {
		_, err := replayWith(t, `flow.version("fix", 1, 3); a():await()`, changed, 0)
		require.ErrorContains(t, err, `on version 3 of change "fix"`)
	}
}

func TestDamagedLog(t *testing.T) {
	w := start(t, `a():await()`, anything)
	w.finish()
	config := workflow.Config{Program: load(t, preamble+`a():await()`), Run: history.Ref{ID: "r"}}
	_, err := workflow.Replay(config, workflow.Turns(w.run.Turns()[1:]))
	require.ErrorContains(t, err, "the log has turn 2 where turn 1 was expected")
	broken := errors.New("disk")
	_, err = workflow.Replay(config, func(yield func(history.Turn, error) bool) { yield(history.Turn{}, broken) })
	require.ErrorIs(t, err, broken)
}

func TestSideEffectThatFailsIsRecordedToo(t *testing.T) {
	w := start(t, `local n = 0
		local function try() return flow.side_effect(function() n = n + 1; error(flow.error("Unlucky", "n is " .. n)) end) end
		local ok, err = pcall(try); flow.sleep(1); return ok, err.name, err.message`, nil)
	w.completes(`[false,"Unlucky","n is 1"]`)
}
