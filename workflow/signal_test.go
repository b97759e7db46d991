package workflow_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow/virtual"
)

func TestSignals(t *testing.T) {
	w := start(t, `local first = flow.signal("go"):await(); local ok, err = pcall(function() return flow.signal("go"):await(5) end); return first, err.name`, nil)
	w.at(3*time.Second, func(r *virtual.Run) error { return r.Signal("go", "one") })
	w.completes(`["one","TimeoutError"]`)
	require.Equal(t, 8*time.Second, w.Elapsed())
}

func TestSignalsAreBufferedUntilTaken(t *testing.T) {
	w := start(t, `flow.sleep(10); local s = flow.signal("go"); return s:await(), s:await()`, nil)
	require.NoError(t, w.run.Signal("go", 1))
	w.at(time.Second, func(r *virtual.Run) error { return r.Signal("go", 2) })
	w.completes(`[1,2]`)
}

func TestUnknownSignalIsIgnored(t *testing.T) {
	w := start(t, `flow.sleep(2); return "fine"`, nil)
	w.at(time.Second, func(r *virtual.Run) error { return r.Signal("nobody", 1) })
	w.completes(`["fine"]`)
}

func TestP220FailingSignalHandler(t *testing.T) {
	w := start(t, `flow.on("go", function() error(flow.error("HandlerError", "no")) end)
		flow.try { function() flow.sleep(60) end, catch = function(err) print(err.name, err.cause and err.cause.name); error(err) end }:await()`, nil)
	w.at(time.Second, func(r *virtual.Run) error { return r.Signal("go") })
	w.fails("HandlerError", "no")
	w.printed("CancelledError\tHandlerError")
}

func TestSignalWhileTheRootFails(t *testing.T) {
	w := start(t, `flow.on("go", function() print "handled" end); flow.spawn(function() flow.sleep(1); error("failing") end)
		flow.try { function() flow.sleep(60) end, finally = function() flow.sleep(10) end }:await()`, nil)
	w.at(5*time.Second, func(r *virtual.Run) error { return r.Signal("go") })
	w.fails("Error", "failing")
	w.printed("handled")
}

func TestSignalWhileTheRootIsCancelled(t *testing.T) {
	w := start(t, `flow.on("go", function() print "handled" end)
		flow.try { function() flow.sleep(60) end, finally = function() flow.sleep(10) end }:await()`, nil)
	w.at(time.Second, func(r *virtual.Run) error { return r.Cancel(nil) })
	w.at(5*time.Second, func(r *virtual.Run) error { return r.Signal("go") })
	require.Equal(t, history.RunCancelled, w.finish().Kind)
	require.Empty(t, w.out)
	require.Equal(t, 11*time.Second, w.Elapsed())
}

func TestSignalToAnotherRun(t *testing.T) {
	script := `local peer = ...
		if not peer then local v = flow.signal("hello"):await(); return v end
		flow.send(peer, "hello", { from = flow.info().id }):await()
		local ok, err = pcall(function() flow.send("nobody", "hello"):await() end)
		return ok, err.name`
	w := start(t, script, nil)
	other, err := w.Start("s", "", "r")
	require.NoError(t, err)
	w.completes(`[{"from":"s"}]`)
	require.Equal(t, `[false,"SignalError"]`, string(other.Closing().Payload))
}

const family = `local child = flow.workflow("child", function(how)
	if how == "fail" then error(flow.error("ChildBroke", "badly")) end
	if how == "wait" then flow.try { function() flow.sleep(60) end, finally = function() print("child finally", flow.info().id) end }:await() end
	if how == "twice" then flow.continue_as_new("ok") end
	return "child of " .. flow.info().parent
end) `

func startParent(t *testing.T, body string) *world {
	w := &world{t: t}
	w.World = virtual.New(virtual.Config{Program: load(t, preamble+family+`flow.workflow("parent", function() `+body+` end)`), Print: func(_, line string) { w.out = append(w.out, line) }})
	t.Cleanup(w.Close)
	var err error
	w.run, err = w.Start("r", "parent")
	require.NoError(t, err)
	return w
}

func TestChildren(t *testing.T) {
	startParent(t, `return child("ok")`).completes(`["child of r"]`)
	startParent(t, `return child("twice")`).completes(`["child of r"]`)
	startParent(t, `local ok, err = pcall(function() child("fail"):await() end); return err.name, err.cause.name, err.cause.message`).completes(`["ChildWorkflowError","ChildBroke","badly"]`)

	w := startParent(t, `return child("ok")`)
	w.completes(`["child of r"]`)
	require.NotNil(t, w.Find("r/1"), "the child's id is made of the run and the operation")
}

func TestCancelOfChild(t *testing.T) {
	w := startParent(t, `local s = flow.try { function() child:with{ id = "kid" }("wait") end, catch = function(err) print("parent catch", err.name) end }
		flow.sleep(5); s:cancel("bored"); s:await(); return "over"`)
	w.completes(`["over"]`)
	w.printed("child finally\tkid", "parent catch\tCancelledError")
	require.Equal(t, history.RunCancelled, w.Find("kid").Closing().Kind)
	require.JSONEq(t, `"bored"`, string(w.Find("kid").Closing().Failure.Reason))
	require.Equal(t, 5*time.Second, w.Elapsed())
}

func TestP218ChildCancelledBySomeoneElse(t *testing.T) {
	w := startParent(t, `child:with{ id = "kid" }("wait")`)
	w.At(time.Second, func() { require.NoError(t, w.Find("kid").Cancel("because")) })
	w.fails("CancelledError", "")
	require.JSONEq(t, `"because"`, string(w.run.Closing().Failure.Reason))
}

func TestP219ChildWithAnOpenID(t *testing.T) {
	w := startParent(t, `local p = child:with{ id = "kid" }("wait"); local ok, err = pcall(function() child:with{ id = "kid" }("ok"):await() end)
		print(err.name, err.message); return p`)
	w.completes(`["child of r"]`)
	require.Contains(t, w.out[0], `ChildWorkflowError	a child with id "kid" is already running`)
}

func TestOnParentClose(t *testing.T) {
	for policy, want := range map[string]history.Kind{"terminate": history.RunFailed, "cancel": history.RunCancelled, "abandon": history.RunCompleted} {
		w := startParent(t, `child:with{ id = "kid", on_parent_close = "`+policy+`" }("wait"):await()`)
		w.At(time.Second, func() { w.run.Terminate("gone") })
		w.fails("TerminatedError", "gone")
		require.Equal(t, want, w.Find("kid").Closing().Kind, policy)
	}
}

func TestQuery(t *testing.T) {
	w := start(t, `local n = 0; flow.query("count", function(plus) return n + (plus or 0) end); flow.query("bad", function() flow.sleep(1) end)
		flow.query("start", function() a() end)
		for i = 1, 3 do flow.sleep(1); n = i end`, nil)
	require.NoError(t, w.RunFor(2*time.Second))
	before := len(w.run.Turns())
	answer, err := w.run.Execution().Query("count", payload(t, 40))
	require.NoError(t, err)
	require.Equal(t, `[42]`, string(answer))
	for name, want := range map[string]string{"bad": "flow.sleep cannot be used in a query", "start": "cannot be used in a query", "none": "none"} {
		_, err = w.run.Execution().Query(name, payload(t))
		require.ErrorContains(t, err, want)
	}
	w.completes(`[]`)
	require.Equal(t, before+1, len(w.run.Turns()))
}

func TestUntakenSignalsGoToTheNextRun(t *testing.T) {
	w := start(t, `local n = ...; flow.sleep(1); if n == 1 then flow.continue_as_new(2); return end
		return flow.signal("go"):await(), flow.signal("go"):await()`, nil, 1)
	w.at(500*time.Millisecond, func(r *virtual.Run) error { return r.Signal("go", "early") })
	w.at(time.Second, func(r *virtual.Run) error { return r.Signal("go", "just too late") })
	require.Equal(t, history.RunContinued, w.finish().Kind)
	require.Equal(t, `["early","just too late"]`, string(w.run.Next().Closing().Payload))
}
