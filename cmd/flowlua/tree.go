package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newTreeCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	c := &cobra.Command{
		Use:   "tree ID",
		Short: "Show the execution tree of a run",
		Long: `Show the execution tree of a run: what it has begun, with states, durations and attempts, and its children's trees in it. Beside
each part is its place in the tree, by which events and errors name it.

The run is rebuilt from its history in this process; nothing of it is changed.`,
		Example: "  flowlua tree order-7\n  flowlua tree order-7 -o json",
		Args:    anID(0, 0, "the ID of one run"),
		RunE: func(_ *cobra.Command, args []string) error {
			return v.do(false, func(ctx context.Context, c *operate.Console) error { return c.Tree(ctx, args[0]) })
		},
		ValidArgsFunction: v.completeIDs(false, false),
	}
	v.flags(c, operate.Text, operate.JSON)
	return c
}
