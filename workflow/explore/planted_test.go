package explore_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/explore"
)

func planted(t testing.TB, name, invariants string) explore.Config {
	t.Helper()
	p, err := workflow.LoadProgram(os.DirFS("testdata"), name+".lua")
	require.NoError(t, err)
	c := explore.Config{Program: p}
	s, err := explore.LoadScript(os.DirFS("testdata"), invariants+"_invariants.lua")
	require.NoError(t, err)
	require.NoError(t, s.Apply(&c))
	return c
}

// TestPlanted finds the one thing that is wrong with each workflow, and nothing once it is mended.
func TestPlanted(t *testing.T) {
	texts := func(r *explore.Report) (list []string) {
		for _, f := range r.Failures {
			list = append(list, f.Invariant+": path "+f.Path.Choices.String()+"\n"+f.Text)
		}
		return list
	}
	for name, broken := range map[string]string{
		"double_payment":  "an order is paid once",
		"order_of_events": "who has withdrawn is not paid",
		"missing_cleanup": "the disk is given back",
		"crash":           "a wage is paid once",
		"in_flight":       "nothing stays booked of a trip that is not made",
	} {
		t.Run(name, func(t *testing.T) {
			r, err := explore.Explore(context.Background(), planted(t, name, name))
			require.NoError(t, err)
			require.NotEmpty(t, r.Failures)
			require.Equal(t, broken, r.Failures[0].Invariant)
		})
		t.Run(name+"_mended", func(t *testing.T) {
			c := planted(t, name+"_mended", name)
			c.Paths = 800
			r, err := explore.Explore(context.Background(), c)
			require.NoError(t, err)
			require.Empty(t, texts(r))
		})
	}
}
