package stdlib

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/scheduler"
)

// TestFlowDump: a dump tells for each branch where in the script it stands and what it waits for.
func TestFlowDump(t *testing.T) {
	r := newRun(newWorld())
	defer r.close()
	_, err := r.script("test.lua", `local flow = require "flow"
local function nap(p)
  pcall(function()
    p:await()
  end)
end
flow.spawn(nap, flow.promise("the door"))
flow.spawn(function() return flow.promise("last act") end)
nap(flow.promise("main"))`)
	require.ErrorIs(t, err, errStuck)
	root := r.tree.Dump()[0]
	stands := map[string][]int{}
	for _, n := range root.Children {
		var lines []int
		for _, f := range n.Frames {
			if f.Source == "test.lua" {
				lines = append(lines, f.Line)
			}
		}
		stands[n.Waiting] = lines
	}
	require.Equal(t, map[string][]int{
		`for "main"`:     {4, 3, 9},
		`for "the door"`: {4, 3},
		`for "last act"`: {8},
	}, stands)
}

// TestFlowRecursionFolds: the stack of a deep recursion through branches is bounded.
func TestFlowRecursionFolds(t *testing.T) {
	r := newRun(newWorld())
	defer r.close()
	_, err := r.script("test.lua", `local flow = require "flow"
local function down(n)
  if n == 0 then error("bottom") end
  flow.spawn(down, n - 1)
end
down(2000)`)
	require.Error(t, err)
	trace := errorOf(err).Trace()
	require.Less(t, len(trace), 10, "%v", trace)
	require.Contains(t, trace, scheduler.Continuation+".(repeated:1999)")
}
