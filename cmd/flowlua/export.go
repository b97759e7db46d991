package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newExportCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	c := &cobra.Command{
		Use:   "export ID",
		Short: "Write a run with its script and history as JSON",
		Long: `Write a run as one JSON document: its script, what happened to it and what it decided. "flowlua replay FILE" replays it anywhere,
and "flowlua import FILE" adds it to another database.`,
		Example: "  flowlua export order-7 > order-7.json",
		Args:    anID(0, 0, "the ID of one run"),
		RunE: func(_ *cobra.Command, args []string) error {
			return v.do(false, func(ctx context.Context, c *operate.Console) error { return c.Export(ctx, args[0]) })
		},
		ValidArgsFunction: v.completeIDs(false, false),
	}
	v.flags(c)
	output := ""
	c.Flags().StringVarP(&output, "output", "o", "json", "`FORMAT` of the document: json")
	check := c.Args
	c.Args = func(c *cobra.Command, args []string) error {
		if output != "json" {
			return usage("-o is json, not '%s'", output)
		}
		return check(c, args)
	}
	return c
}
