package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newSignalCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	c := &cobra.Command{
		Use:   "signal ID NAME [JSON...]",
		Short: "Send a signal to a run",
		Long: `Send a signal to an open run. What the run gets with it is given as JSON, a value each; @FILE and - read one. The signal is
kept with the run until the engine that drives it takes it, which is at once.`,
		Example: `  flowlua signal order-7 approve '"Ann"'
  flowlua signal @last resize 640 480`,
		Args: anID(1, -1, "the ID of a run and the NAME of a signal"),
		RunE: func(_ *cobra.Command, args []string) error {
			values, err := readValues(args[2:], s)
			if err != nil {
				return err
			}
			return v.do(false, func(ctx context.Context, c *operate.Console) error { return c.Signal(ctx, args[0], args[1], values) })
		},
		ValidArgsFunction: v.completeIDs(true, false),
	}
	v.flags(c, operate.Text, operate.JSON)
	return c
}
