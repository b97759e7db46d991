package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newShowCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	var o operate.ShowOptions
	c := &cobra.Command{
		Use:   "show ID",
		Short: "Show a run: how far it is, or how it ended",
		Long: `Show a run: its input, what its script has given to flow.status, who drives it, what is under way and what its branches wait
for; its result, or its error with the logical stack.

The ID may be its beginning if only one run has it, @last for the newest run, and ID#2 for the second of the runs that continue
each other under one ID.

--events shows the history, too: what happened (←) and what the run decided (→), numbered for replay --to. --follow goes on with
what comes until the run has ended, and has the exit code of run.`,
		Example: `  flowlua show @last
  flowlua show order-7 --events
  flowlua show order-7 --follow -o jsonl`,
		Args: anID(0, 0, "the ID of one run"),
		RunE: func(_ *cobra.Command, args []string) error {
			return v.do(false, func(ctx context.Context, c *operate.Console) error { return c.Show(ctx, args[0], o) })
		},
		ValidArgsFunction: v.completeIDs(false, false),
	}
	c.Flags().BoolVar(&o.Events, "events", false, "show the history, too")
	c.Flags().BoolVarP(&o.Follow, "follow", "f", false, "show what comes until the run has ended")
	v.flags(c, operate.Text, operate.JSON, operate.JSONL)
	return c
}
