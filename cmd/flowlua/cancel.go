package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newCancelCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	var reason string
	c := &cobra.Command{
		Use:   "cancel ID",
		Short: "Ask a run to end, and let it clean up",
		Long: `Ask an open run to end: its branches are cancelled, catch and finally run. --reason is what the script sees as err.reason.
"flowlua terminate" ends a run that does not.`,
		Example: `  flowlua cancel order-7 --reason "out of stock"`,
		Args:    anID(0, 0, "the ID of one run"),
		RunE: func(_ *cobra.Command, args []string) error {
			return v.do(false, func(ctx context.Context, c *operate.Console) error { return c.Cancel(ctx, args[0], reason) })
		},
		ValidArgsFunction: v.completeIDs(true, false),
	}
	c.Flags().StringVar(&reason, "reason", "", "why: `TEXT`")
	v.flags(c, operate.Text, operate.JSON)
	return c
}
