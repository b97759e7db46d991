package explore_test

import (
	"context"
	"runtime/debug"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/explore"
)

func load(t testing.TB, script string) *workflow.Program {
	t.Helper()
	p, err := workflow.LoadProgram(fstest.MapFS{"main.lua": {Data: []byte(script)}}, "main.lua")
	require.NoError(t, err)
	return p
}

// shapes are workflows of five activities.
var shapes = []struct{ name, script string }{
	{"chain", `local flow = require "flow"
local shop = flow.activities { "reserve", "charge", "pack", "ship", "notify" }
flow.workflow("order", function(order)
  local r = shop.reserve(order):await()
  local c = shop.charge(order, r):await()
  local p = shop.pack(order):await()
  local s = shop.ship(p):await()
  return shop.notify(s, c):await()
end)`},
	{"fanout", `local flow = require "flow"
local shop = flow.activities { "a", "b", "c", "d", "e" }
flow.workflow("order", function(order)
  local all = { shop.a(order), shop.b(order), shop.c(order), shop.d(order), shop.e(order) }
  return flow.all(all):await()
end)`},
	{"saga", `local flow = require "flow"
local shop = flow.activities { reserve = { start_to_close = "30s" }, charge = { start_to_close = "30s", retry = { max_attempts = 3 } }, ship = { start_to_close = "1h" }, refund = {}, release = {} }
flow.workflow("order", function(order)
  local charged
  return flow.try {
    function()
      local r = shop.reserve(order)
      charged = shop.charge(order):await()
      r:await()
      return shop.ship(order):await()
    end,
    catch = function(err)
      if charged then shop.refund(order):await() end
      error(err)
    end,
    finally = function() shop.release(order):await() end,
  }
end)`},
}

// BenchmarkPaths explores workflows of five activities, with the collector set as flowlua explore sets it.
func BenchmarkPaths(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	for _, shape := range shapes {
		b.Run(shape.name, func(b *testing.B) {
			p := load(b, shape.script)
			paths, seconds := 0, 0.0
			for b.Loop() {
				r, err := explore.Explore(context.Background(), explore.Config{Program: p, Paths: 20_000})
				require.NoError(b, err)
				require.Empty(b, r.Failures)
				paths += r.Paths
				seconds += r.Elapsed.Seconds()
				b.ReportMetric(float64(r.Histories), "turns")
				b.ReportMetric(float64(r.Deviations), "deviations")
			}
			b.ReportMetric(float64(paths)/seconds, "paths/s")
			b.ReportMetric(float64(paths)/float64(b.N), "paths")
		})
	}
}
