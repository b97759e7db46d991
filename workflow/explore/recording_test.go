package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/explore"
)

// follow rebuilds a run from its recording, as replay and debug do.
func follow(t *testing.T, c explore.Config, rec history.Recording) error {
	t.Helper()
	require.NoError(t, rec.Check())
	require.Equal(t, c.Program.Hash(), rec.Run.Program)
	e, err := workflow.New(workflow.Config{Program: c.Program, Workflow: rec.Run.Workflow, Run: rec.Run.Ref})
	require.NoError(t, err)
	defer e.Close()
	for i := range rec.Turns {
		if err := e.Follow(&rec.Turns[i]); err != nil {
			return err
		}
	}
	return nil
}

func TestRecording(t *testing.T) {
	for _, one := range []struct {
		name, script string
		status       history.Status
		number       int64
		turns        int
	}{
		{"completed", `flow.workflow("w", function() a():await() end)`, history.Completed, 1, 2},
		{"open", `flow.workflow("w", function() a():await() flow.promise():await() end)`, history.Open, 1, 2},
		{"continued", `flow.workflow("w", function(n) a():await() if n ~= 2 then flow.continue_as_new(2) end end)`, history.Completed, 2, 2},
		{"with a child", `local child = flow.workflow("child", function() return a():await() end) flow.workflow("w", function() child():await() end)`, history.Completed, 1, 2},
	} {
		t.Run(one.name, func(t *testing.T) {
			c := calm(t, one.script)
			c.Workflow = "w"
			r, err := explore.Replay(c, nil)
			require.NoError(t, err)
			rec := r.Failures[0].Recording
			require.Equal(t, one.status, rec.Run.Status)
			require.EqualValues(t, one.number, rec.Run.Number)
			require.Len(t, rec.Turns, one.turns)
			require.NoError(t, follow(t, c, rec))
		})
	}
}

// TestRecordingOfFaults: a crash leaves no trace in a history, a cancellation does.
func TestRecordingOfFaults(t *testing.T) {
	c := with(t, wild(t, `flow.workflow("w", function() a():await() end)`), `["worked once"] = function(path) assert(path:count("a") < 2) end`)
	rec := breaks(t, c, "worked once").Recording
	require.Len(t, rec.Turns, 2)
	require.NoError(t, follow(t, c, rec))

	c = with(t, wild(t, `flow.workflow("w", function() a():await() end)`), `crash = false, activities = { a = { errors = false } }, completes = function(path) return path.status == "completed", "no" end`)
	rec = breaks(t, c, "completes").Recording
	require.Equal(t, history.Cancelled, rec.Run.Status)
	require.NoError(t, follow(t, c, rec))
}

// TestRecordingOfALimit: the turn that the engine could not make is not there; going on from the one before comes to it again.
func TestRecordingOfALimit(t *testing.T) {
	c := calm(t, `flow.workflow("w", function() a():await() while true do end end)`)
	rec := breaks(t, c, "the engine can run it").Recording
	require.Equal(t, history.Open, rec.Run.Status)
	require.Len(t, rec.Turns, 1)
	require.NoError(t, follow(t, c, rec))

	rec = breaks(t, calm(t, `flow.workflow("w", function() while true do end end)`), "the engine can run it").Recording
	require.Empty(t, rec.Turns)
	require.NoError(t, rec.Check())
}
