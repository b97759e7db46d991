package flowlua_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

// chaos is a workflow of many branches whose activities do all that activities can do wrong, under every option.
const chaos = `
local options = {
	{}, { start_to_close = 2 }, { heartbeat = 2 }, { schedule_to_start = 1 }, { schedule_to_close = 3 },
	{ start_to_close = 2, retry = { initial = 0.5, max_attempts = 3 } }, { heartbeat = 1, retry = { max_attempts = 2 } },
	{ schedule_to_close = 5, retry = { initial = 1, jitter = 0.5 } },
}
local behave = flow.activity("behave")
local lua = flow.activity("lua", function(ms) flow.heartbeat(ms) flow.sleep(ms / 1000) return ms end)

local child = flow.workflow("child", function(n, depth)
	if n % 3 == 0 then flow.sleep(n % 5) end
	if n % 7 == 0 then error(flow.error("ChildTrouble", "n is " .. n)) end
	return behave:with { retry = false }("sleep", 100 * n):await()
end)

flow.workflow("chaos", function(plan)
	local seen = 0
	flow.on("poke", function() seen = seen + 1 flow.sleep(0.1) end)
	flow.query("seen", function() return seen end)
	local outcomes = {}
	local scope = flow.try {
		function()
			for i, step in ipairs(plan) do
				flow.spawn(function()
					local stub = behave:with(options[step.options])
					local p
					if step.what == "child" then p = child(step.n) elseif step.what == "lua" then p = lua(100 * step.n)
					else p = stub(step.what, 100 * step.n) end
					if step.drop then return end
					if step.scoped then
						local inner = flow.try { function() p:await() end, catch = function(e) return e.name end, finally = function() flow.sleep(0.2) end }
						flow.sleep(step.n / 4)
						inner:cancel()
						inner:await()
					else
						local ok, err = pcall(function() return p:await() end)
						outcomes[i] = ok or tostring(err)
					end
				end)
			end
		end,
		catch = function(err) outcomes.failed = tostring(err) end,
		finally = function() lua(10):await() end,
	}
	scope:await()
	return outcomes.failed or "fine"
end)`

func behave(ctx context.Context, what string, ms int) (any, error) {
	d := time.Duration(ms) * time.Millisecond
	switch what {
	case "fail":
		time.Sleep(d / 4)
		return nil, errors.New("failed")
	case "panic":
		panic("boom")
	case "goexit":
		runtime.Goexit()
	case "channel":
		return make(chan int), nil
	case "beat":
		for range 10 {
			if err := flowlua.Heartbeat(ctx, ms); err != nil {
				return nil, err
			}
			time.Sleep(d / 10)
		}
		return "beat", nil
	case "obey":
		select {
		case <-time.After(d):
			return "obeyed", nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	time.Sleep(d) // does not care whether it is cancelled
	return what, nil
}

// Whatever happens to runs, each ends, is replayed to the same state after every turn, and leaves no goroutine.
func TestChaos(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) map[string]any {
			return map[string]any{
				"what":    rapid.SampledFrom([]string{"sleep", "fail", "panic", "goexit", "channel", "beat", "obey", "child", "lua"}).Draw(t, "what"),
				"options": rapid.IntRange(1, 8).Draw(t, "options"),
				"n":       rapid.IntRange(0, 40).Draw(t, "n"),
				"drop":    rapid.IntRange(0, 9).Draw(t, "drop") == 0,
				"scoped":  rapid.IntRange(0, 2).Draw(t, "scoped") == 0,
			}
		}), 1, 8).Draw(rt, "steps")
		workers := rapid.SampledFrom([]int{1, 3, 100}).Draw(rt, "workers")
		seed := rapid.Uint64().Draw(rt, "seed")
		runs := rapid.IntRange(1, 2).Draw(rt, "runs")
		inWith(t, chaos, flowlua.Config{Workers: workers}, func(t *testing.T, b *bed) {
			b.activity("behave", behave)
			random := rand.New(rand.NewPCG(seed, 0))
			var started []*flowlua.Run
			for i := range runs {
				run, err := b.Start(t.Context(), "chaos", steps, flowlua.StartOptions{ID: fmt.Sprint(i)})
				require.NoError(t, err)
				started = append(started, run)
			}
			for range 10 {
				time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond)
				id := fmt.Sprint(random.IntN(runs))
				var err error
				switch random.IntN(12) {
				case 0:
					err = b.Cancel(t.Context(), id, "chaos")
				case 1:
					err = b.Terminate(t.Context(), id, "chaos")
				case 2:
					err = b.Query(t.Context(), id, "seen", nil)
				case 3:
					_, err = b.Dump(t.Context(), id)
				default:
					err = b.Signal(t.Context(), id, "poke")
				}
				if err != nil {
					require.ErrorIs(t, err, flowlua.ErrNotOpen)
				}
			}
			for _, run := range started {
				err := run.Result(t.Context())
				var failed *flowlua.Error
				if err != nil {
					require.ErrorAs(t, err, &failed, "an engine error: %v", err)
				}
			}
			time.Sleep(10 * time.Second) // children that were cancelled with their parent
			synctest.Wait()
			for info := range b.List(t.Context(), history.Filter{Status: history.Open}) {
				t.Errorf("run %s is still open", info.ID)
			}
		})
	})
}

// A run that is closed in the middle of everything leaves nothing behind.
func TestChaosClosed(t *testing.T) {
	for seed := range uint64(20) {
		inWith(t, chaos, flowlua.Config{Workers: 2}, func(t *testing.T, b *bed) {
			b.activity("behave", behave)
			random := rand.New(rand.NewPCG(seed, 1))
			var steps []map[string]any
			for range 8 {
				what := []string{"sleep", "fail", "beat", "obey", "child", "lua"}[random.IntN(6)]
				steps = append(steps, map[string]any{"what": what, "options": 1 + random.IntN(8), "n": random.IntN(40)})
			}
			run, err := b.Start(t.Context(), "chaos", steps, flowlua.StartOptions{})
			require.NoError(t, err)
			time.Sleep(time.Duration(random.IntN(2000)) * time.Millisecond)
			require.NoError(t, b.Close(t.Context()))
			err = run.Result(t.Context())
			require.True(t, err == nil || errors.Is(err, flowlua.ErrClosed) || errors.As(err, new(*flowlua.Error)), "%v", err)
		})
	}
}
