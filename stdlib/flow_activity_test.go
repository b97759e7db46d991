package stdlib

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
)

// attemptDouble is an ActivityContext that remembers.
type attemptDouble struct {
	beats  []string
	slept  time.Duration
	before json.RawMessage
	stop   error
	log    []string
}

func (a *attemptDouble) Heartbeat(details json.RawMessage) error {
	a.beats = append(a.beats, string(details))
	return a.stop
}

func (a *attemptDouble) HeartbeatDetails() json.RawMessage { return a.before }

func (a *attemptDouble) Info() ActivityInfo {
	return ActivityInfo{ID: "/3", Name: "copy", Workflow: "order-7", Attempt: 2, IdempotencyKey: "order-7/3"}
}

func (a *attemptDouble) Sleep(d time.Duration) error {
	a.slept += d
	return a.stop
}

func (a *attemptDouble) Log(_ slog.Level, message string, _ ...slog.Attr) {
	a.log = append(a.log, message)
}

// activityState loads a script as an activity does.
func activityState(t *testing.T, source string, context *attemptDouble) (*ActivityFlow, *[]string, error) {
	var printed []string
	s := vm.New(vm.Config{Print: func(line string) { printed = append(printed, line) }})
	t.Cleanup(s.Close)
	a := OpenActivityFlow(s, context)
	chunk, err := vm.Compile("test.lua", source, vm.Limits{})
	require.NoError(t, err)
	return a, &printed, a.Load(s.Load(chunk))
}

func TestActivityFlow(t *testing.T) {
	context := &attemptDouble{}
	a, _, err := activityState(t, `
		local flow = require "flow"
		local policy = flow.retry { max_attempts = 2 }
		local other = policy:decorate(flow.activity("other"))
		local stop = flow.signal("stop")
		flow.on("stop", function() end)
		flow.workflow("w", function() end)
		local double = flow.activity("double", { heartbeat = 5 }, function(n, how)
			flow.heartbeat(n)
			flow.sleep("2s")
			flow.log.info("doubling")
			if how == "error" then error(flow.error("Odd", "cannot", { status = 400 })) end
			if how == "spawn" then flow.spawn(print) end
			if how == "call" then other() end
			if how == "swallow" then return pcall(flow.heartbeat) end
			return n * 2, "done"
		end)
		flow.activities { host = {} }
	`, context)
	require.NoError(t, err)
	d, found := a.Activity("double")
	require.True(t, found)
	require.Equal(t, 5*time.Second, d.Activity.Heartbeat)
	_, found = a.Activity("host")
	require.False(t, found)

	results, err := a.Call(d.Fn, lua.LNumber(4))
	require.NoError(t, err)
	require.Equal(t, []lua.LValue{lua.LNumber(8), lua.LString("done")}, results)
	require.Equal(t, []string{"4"}, context.beats)
	require.Equal(t, 2*time.Second, context.slept)
	require.Equal(t, []string{"doubling"}, context.log)

	for how, want := range map[string]string{
		"error": "Odd: cannot",
		"spawn": "flow.spawn cannot be used inside an activity",
		"call":  "activity 'other' cannot be used inside an activity",
	} {
		_, err = a.Call(d.Fn, lua.LNumber(1), lua.LString(how))
		require.ErrorContains(t, err, want)
	}

	context.stop = FromFailure(&history.Failure{Name: "CancelledError"})
	_, err = a.Call(d.Fn, lua.LNumber(1))
	require.ErrorContains(t, err, "CancelledError")
	require.NotNil(t, ToFailure(a.state, err))
	require.Equal(t, "CancelledError", ToFailure(a.state, err).Name)
}

// TestActivityLoad: loading stops where a workflow's body begins, without an error.
func TestActivityLoad(t *testing.T) {
	for name, begin := range map[string]string{
		"spawn": "flow.spawn(print)", "call": "early()", "await": "early():await()", "sleeping branch": "flow.timer(1)",
		"protected": "pcall(flow.spawn, print)",
	} {
		t.Run(name, func(t *testing.T) {
			a, printed, err := activityState(t, `
				local flow = require "flow"
				local early = flow.activity("early", function() return 1 end)
				print("declared")
				`+begin+`
				print("body")
				flow.activity("late", function() end)
			`, &attemptDouble{})
			require.NoError(t, err)
			require.Equal(t, []string{"declared"}, *printed)
			_, found := a.Activity("early")
			require.True(t, found)
		})
	}
	_, _, err := activityState(t, `error("broken")`, &attemptDouble{})
	require.ErrorContains(t, err, "broken")
}

// checkActivityExample runs the example of a function that activities have.
func checkActivityExample(t *testing.T, example string) {
	context := &attemptDouble{before: json.RawMessage(`{"done":2}`)}
	a, printed, err := activityState(t, `require("flow").activity("copy", function() local flow = require "flow" `+example+` end)`, context)
	require.NoError(t, err)
	d, _ := a.Activity("copy")
	_, err = a.Call(d.Fn)
	require.NoError(t, err)
	var want []string
	for _, line := range strings.Split(example, "\n") {
		if m := printedText.FindStringSubmatch(line); m != nil {
			want = append(want, m[1])
		}
	}
	require.Equal(t, want, *printed)
}
