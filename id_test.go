package flowlua_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

func TestAChildWhoseIDNamesSomethingElse(t *testing.T) {
	in(t, `
		local child = flow.workflow("child", function() return flow.info().id end)
		flow.workflow("parent", function(id)
			local ok, err = pcall(function() return child:with { id = id }():await() end)
			if ok then return err end
			return err.name .. " " .. tostring(err:is("ChildStartError")) .. " " .. err.message
		end)`, func(t *testing.T, b *bed) {
		for id, want := range map[string]string{
			"@last":   `ChildWorkflowError true child workflow \"child\" was not started: the ID \"@last\" cannot name a run`,
			"run#2":   "expected no #",
			"other/3": "get by their place",
			"run/3-x": "run/3-x",
		} {
			run, err := b.Start(t.Context(), "parent", id, flowlua.StartOptions{})
			require.NoError(t, err)
			require.Contains(t, b.wait(run), want)
		}
	})
}

func TestStartWithAnIDThatNamesSomethingElse(t *testing.T) {
	in(t, `flow.workflow("a/b#\n1", function() return flow.info().id end)`, func(t *testing.T, b *bed) {
		for _, id := range []string{"@last", "a#2", "a\nb", "a/1"} {
			_, err := b.Start(t.Context(), "a/b#\n1", nil, flowlua.StartOptions{ID: id})
			require.ErrorContains(t, err, fmt.Sprintf("the ID %q cannot name a run: ", id))
			_, err = b.Start(t.Context(), "a/b#\n1", nil, flowlua.StartOptions{ID: id, Detach: true})
			require.ErrorContains(t, err, "cannot name a run")
		}
		run, err := b.Start(t.Context(), "a/b#\n1", nil, flowlua.StartOptions{})
		require.NoError(t, err)
		require.NoError(t, history.CheckID(run.ID()))
		require.Equal(t, `["`+run.ID()+`"]`, b.wait(run))
	})
}
