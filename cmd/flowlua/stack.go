package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newStackCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	c := &cobra.Command{
		Use:   "stack ID",
		Short: "Show where the branches of a run stand, and what they wait for",
		Long: `Show of each branch that waits where it stands in the script, how it came to be there, and what it waits for. Of a run that has
failed it is the stack of the error.

The run is rebuilt from its history in this process; nothing of it is changed.`,
		Example: "  flowlua stack order-7\n  flowlua stack order-7 -o json",
		Args:    anID(0, 0, "the ID of one run"),
		RunE: func(_ *cobra.Command, args []string) error {
			return v.do(false, func(ctx context.Context, c *operate.Console) error { return c.Stack(ctx, args[0]) })
		},
		ValidArgsFunction: v.completeIDs(false, false),
	}
	v.flags(c, operate.Text, operate.JSON)
	return c
}
