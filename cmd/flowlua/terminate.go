package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newTerminateCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	var reason string
	c := &cobra.Command{
		Use:   "terminate ID",
		Short: "End a run at once",
		Long: `End an open run at once: nothing of its script runs any more, neither catch nor finally, and it has failed with a TerminatedError
that has the --reason as its message. A run that nobody drives is ended here; of its children those that nobody drives are, too, if their
on_parent_close says so. "flowlua cancel" lets it clean up.`,
		Example: `  flowlua terminate order-7 --reason "started by mistake"`,
		Args:    anID(0, 0, "the ID of one run"),
		RunE: func(_ *cobra.Command, args []string) error {
			return v.do(false, func(ctx context.Context, c *operate.Console) error { return c.Terminate(ctx, args[0], reason) })
		},
		ValidArgsFunction: v.completeIDs(true, false),
	}
	c.Flags().StringVar(&reason, "reason", "", "why: `TEXT`, which is kept as the message of the error")
	v.flags(c, operate.Text, operate.JSON)
	return c
}
