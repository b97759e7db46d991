package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newListCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	var o operate.ListOptions
	c := &cobra.Command{
		Use:   "list",
		Short: "List the runs, newest first",
		Long: `List the runs, newest first, with the status that their scripts have set, or how they ended. "halted" is an open run that an
engine error has stopped. With -o jsonl each run is a line.`,
		Example: `  flowlua list --status open
  flowlua list --workflow order --since 2h -o jsonl
  flowlua list --since 2026-01-31 --limit 0`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return v.do(false, func(ctx context.Context, c *operate.Console) error { return c.List(ctx, o) })
		},
	}
	f := c.Flags()
	f.StringVar(&o.Status, "status", "", "only runs with this `STATUS`: "+or(operate.Statuses()))
	f.StringVar(&o.Workflow, "workflow", "", "only runs of the workflow of this `NAME`")
	f.StringVar(&o.Since, "since", "", "only runs started since then: `AGO`, such as 90s, 2h or 3d, or a date")
	f.IntVar(&o.Limit, "limit", 50, "at most `N` runs; 0: all")
	v.flags(c, operate.Text, operate.JSON, operate.JSONL)
	_ = c.RegisterFlagCompletionFunc("status", cobra.FixedCompletions(operate.Statuses(), cobra.ShellCompDirectiveNoFileComp))
	return c
}
