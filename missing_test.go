package flowlua_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

const twoJobs = `
	local first, second = flow.activity("first"), flow.activity("second")
	local a = first():await()
	flow.signal("go"):await()
	return a .. second():await()`

// An engine that recovers leaves a run alone whose open activity it does not have; one that has it takes it up.
func TestRecoverLeavesWhatItCannotPerform(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, ctx := new(history.Memory), t.Context()
		starter := openHost(t, store, twoJobs)
		_, err := starter.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run", Detach: true})
		require.NoError(t, err)

		stranger := openHost(t, store, ``, "other")
		require.NoError(t, stranger.Recover(ctx))
		synctest.Wait()
		require.Len(t, stranger.left, 1)
		var missing *flowlua.MissingActivityError
		require.ErrorAs(t, stranger.left[0], &missing)
		require.Equal(t, []string{"first"}, missing.Activities)
		require.ErrorContains(t, missing, "RegisterActivity")
		info, err := starter.Get(ctx, "run")
		require.NoError(t, err)
		require.Equal(t, history.Open, info.Status)
		require.Zero(t, info.Owner)
		require.Empty(t, info.Halted)
		_, err = stranger.Resume(ctx, "run")
		require.ErrorAs(t, err, &missing)
		require.NoError(t, stranger.Signal(ctx, "run", "go"), "it waits for whoever takes the run up")

		owner := openHost(t, store, ``, "first", "second")
		require.NoError(t, owner.Recover(ctx))
		run, err := owner.Find(ctx, "run")
		require.NoError(t, err)
		var text string
		require.NoError(t, run.Result(ctx, &text))
		require.Equal(t, "firstsecond", text)
		require.Len(t, stranger.left, 1, "it does not try again and again")
		for _, e := range []*host{starter, stranger, owner} {
			require.NoError(t, e.Close(ctx))
		}
	})
}

// A run that was taken up and then begins an activity that the engine does not have goes on elsewhere, and loses nothing: what
// was done before is not done again.
func TestRunGoesOnWhereItsActivityIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, ctx := new(history.Memory), t.Context()
		one := openHost(t, store, twoJobs, "first")
		require.NoError(t, one.Recover(ctx))
		run, err := openHost(t, store, twoJobs).Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run", Detach: true})
		require.NoError(t, err)
		synctest.Wait()
		two := openHost(t, store, ``, "second")
		require.NoError(t, two.Recover(ctx))
		require.NoError(t, two.Signal(ctx, "run", "go"))
		var text string
		require.NoError(t, run.Result(ctx, &text))
		require.Equal(t, "firstsecond", text)
		var performed int
		for turn, err := range one.History(ctx, history.Ref{ID: "run"}) {
			require.NoError(t, err)
			for _, ev := range turn.Decisions {
				if ev.Kind == history.ActivityScheduled {
					performed++
				}
			}
		}
		require.Equal(t, 2, performed)
		synctest.Wait() // the second may be done before the first has told that it has left the run
		require.Len(t, one.left, 1)
		require.NoError(t, one.Close(ctx))
		require.NoError(t, two.Close(ctx))
	})
}

// Who waits for a run that its own engine has left hears of it when the time for others is over, and again at once.
func TestResultOfARunThatWasLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, ctx := new(history.Memory), t.Context()
		e := openHost(t, store, twoJobs, "first")
		_, err := e.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run", Detach: true})
		require.NoError(t, err)
		require.NoError(t, e.Recover(ctx))
		run, err := e.Find(ctx, "run")
		require.NoError(t, err)
		require.NoError(t, e.Signal(ctx, "run", "go"))
		begun := time.Now()
		require.ErrorAs(t, run.Result(ctx), new(*flowlua.MissingActivityError))
		require.WithinDuration(t, begun.Add(10*time.Second), time.Now(), 2*time.Second)
		begun = time.Now()
		require.ErrorAs(t, run.Result(ctx), new(*flowlua.MissingActivityError))
		require.Zero(t, time.Since(begun))
		require.NoError(t, e.Close(ctx))
	})
}

// An activity that is registered after Recover is what runs were left for.
func TestActivityRegisteredLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, ctx := new(history.Memory), t.Context()
		e := openHost(t, store, `return flow.activity("late")():await()`)
		require.NoError(t, e.Recover(ctx))
		run, err := e.Start(ctx, "flow", nil, flowlua.StartOptions{ID: "run", Detach: true})
		require.NoError(t, err)
		synctest.Wait()
		require.Len(t, e.left, 1)
		require.NoError(t, e.RegisterActivity("late", func() string { return "late" }))
		var text string
		require.NoError(t, run.Result(ctx, &text))
		require.Equal(t, "late", text)
		require.NoError(t, e.Close(ctx))
	})
}
