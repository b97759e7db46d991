package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newDeleteCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	c := &cobra.Command{
		Use:   "delete ID...",
		Short: "Delete runs that have ended",
		Long: `Delete runs that have ended, with their histories, and with the runs that they continue. If one of them is open or not there,
none is deleted.`,
		Example: "  flowlua delete order-7 order-8",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("expected the ID of at least one run, got no arguments; flowlua list shows the runs")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return v.do(false, func(ctx context.Context, c *operate.Console) error { return c.Delete(ctx, args) })
		},
		ValidArgsFunction: v.completeIDs(false, true),
	}
	v.flags(c, operate.Text, operate.JSON)
	return c
}
