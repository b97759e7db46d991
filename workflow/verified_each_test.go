package workflow_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/workflow/virtual"
)

// TestEach: of a long run not every turn is replayed, but what does not fit is still found.
func TestEach(t *testing.T) {
	program := load(t, `local flow = require "flow"
local n, extra = ..., 0
for i = 1, n do
  if i == 300 then flow.side_effect(function() extra = 1 end) end
  flow.sleep(1 + extra)
end`)
	for _, turns := range []int{200, 2000} {
		w := virtual.New(virtual.Config{Program: program, Each: 50})
		r, err := w.Start("run", "", turns)
		require.NoError(t, err)
		err = w.Run()
		if turns < 300 {
			require.NoError(t, err)
			require.NoError(t, r.Verify())
			require.Equal(t, 200*time.Second, w.Elapsed())
		} else {
			require.ErrorContains(t, err, "non-determinism")
			require.Less(t, len(r.Turns()), 350, "it is found before the run has become a tenth longer than it was")
		}
		w.Close()
	}
}
