package flowlua_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
)

func TestHostileActivities(t *testing.T) {
	for name, c := range map[string]struct {
		fn      any
		options string
		name    string
		message string
	}{
		"panic":             {func() { panic("boom") }, "", "PanicError", "activity work panicked: boom"},
		"nil pointer":       {func(o *struct{ X int }) int { return o.X }, "", "PanicError", "nil pointer dereference"},
		"goexit":            {func() { runtime.Goexit() }, "", "PanicError", "runtime.Goexit"},
		"NaN":               {func() float64 { return math.NaN() }, "", "ActivityResultError", "NaN"},
		"channel":           {func() any { return make(chan int) }, "", "ActivityResultError", "chan int"},
		"300 KB error":      {func() error { return errors.New(strings.Repeat("é", 150_000)) }, "", "Error", "é… (300000 bytes)"},
		"too long":          {func(ctx context.Context) { <-ctx.Done() }, "start_to_close = 60", "TimeoutError", "not done within 1m0s (start_to_close)"},
		"error that panics": {func() error { return vicious{} }, "", "vicious", "panicked"},
		"typed nil":         {func() error { return (*flowlua.Error)(nil) }, "", "Error", ""},
		"arguments":         {func(int) {}, "", "ActivityArgumentError", "work: expected 1 argument (int), found 0"},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, `
				local work = flow.activity("work", { `+c.options+` })
				local ok, err = pcall(function() work():await() end)
				return err.name, err.message, flow.activity("fine")():await()`, func(t *testing.T, b *bed) {
				b.activity("work", c.fn)
				b.activity("fine", func() string { return "fine" })
				result := b.result()
				require.Contains(t, result, `["`+c.name+`",`)
				require.Contains(t, result, c.message)
				require.Contains(t, result, `,"fine"]`)
			})
		})
	}
}

type vicious struct{}

func (vicious) Error() string { panic("ha") }

// An activity past its time loses its slot: what it returns, and whether it ever does, is of no interest.
func TestActivityThatBlocksForEver(t *testing.T) {
	inWith(t, `
		local work = flow.activity("work", { start_to_close = 60, retry = { initial = 1, max_attempts = 3 } })
		local ok, err = pcall(function() work():await() end)
		return err.name, err.timeout, flow.activity("fine")():await()`, flowlua.Config{Workers: 1}, func(t *testing.T, b *bed) {
		release := make(chan bool)
		b.activity("work", func() string { <-release; return "late" })
		b.activity("fine", func() string { return "fine" })
		require.Equal(t, `["TimeoutError","start_to_close","fine"]`, b.result())

		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		err := b.Close(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "work (3 times)")
		close(release)
	})
}

func TestHeartbeatAfterTheEnd(t *testing.T) {
	in(t, `
		local p = flow.activity("work", { heartbeat = 10 })()
		p:await()
		flow.sleep(100)
		return "fine"`, func(t *testing.T, b *bed) {
		kept := make(chan context.Context, 1)
		b.activity("work", func(ctx context.Context) error {
			kept <- ctx
			return flowlua.Heartbeat(ctx, 1)
		})
		run := b.start("")
		ctx := <-kept
		time.Sleep(time.Second)
		require.Error(t, flowlua.Heartbeat(ctx, 2))
		require.Equal(t, `["fine"]`, b.wait(run))
		require.ErrorContains(t, flowlua.Heartbeat(t.Context(), 1), "not that of an activity")
	})
}

func TestHeartbeatDetailsThatJSONCannotCarry(t *testing.T) {
	in(t, `return flow.activity("work", { retry = { max_attempts = 2 } })():await()`, func(t *testing.T, b *bed) {
		b.activity("work", func(ctx context.Context) (string, error) {
			var last int
			had, err := flowlua.HeartbeatDetails(ctx, &last)
			require.NoError(t, err)
			if had {
				require.Equal(t, 1, last)
				return "went on", nil
			}
			require.NoError(t, flowlua.Heartbeat(ctx, 1))
			require.NoError(t, flowlua.Heartbeat(ctx, make(chan int)))
			return "", errors.New("again")
		})
		require.Equal(t, `["went on"]`, b.result())
		require.Contains(t, b.log.String(), "heartbeat details left out")
	})
}

// Whoever ignores cancellation is waited for, and so is finally.
func TestCloseWaitsForActivities(t *testing.T) {
	in(t, `flow.activity("work")():await()`, func(t *testing.T, b *bed) {
		done := false
		started := make(chan bool)
		b.activity("work", func(ctx context.Context) error {
			close(started)
			<-ctx.Done()
			require.ErrorIs(t, context.Cause(ctx), flowlua.ErrClosed)
			require.ErrorIs(t, flowlua.Heartbeat(ctx, nil), flowlua.ErrClosed)
			time.Sleep(time.Hour)
			done = true
			return nil
		})
		run := b.start("")
		<-started
		require.NoError(t, b.Close(t.Context()))
		require.True(t, done)
		require.ErrorIs(t, run.Result(t.Context()), flowlua.ErrClosed)
		_, err := b.Start(t.Context(), "flow", nil, flowlua.StartOptions{})
		require.ErrorIs(t, err, flowlua.ErrClosed)
		require.ErrorIs(t, b.Signal(t.Context(), "run", "x"), flowlua.ErrClosed)
		require.NoError(t, b.Close(t.Context())) // again
	})
}
