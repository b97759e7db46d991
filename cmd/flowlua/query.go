package main

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newQueryCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	c := &cobra.Command{
		Use:   "query ID [NAME [JSON...]]",
		Short: "Ask a run a question that its script answers",
		Long: `Ask a run, open or not, a question that its script answers by flow.query. What it gets with it is given as JSON, a value each;
@FILE and - read one. Without a NAME the questions are listed that it answers.

The run is rebuilt from its history in this process; nothing of it is changed.`,
		Example: `  flowlua query order-7 progress
  flowlua query order-7 price 0.2 -o json`,
		Args: anID(0, -1, "the ID of a run and the NAME of a query"),
		RunE: func(_ *cobra.Command, args []string) error {
			name := ""
			var values []json.RawMessage
			if len(args) > 1 {
				var err error
				if values, err = readValues(args[2:], s); err != nil {
					return err
				}
				name = args[1]
			}
			return v.do(false, func(ctx context.Context, c *operate.Console) error { return c.Query(ctx, args[0], name, values) })
		},
		ValidArgsFunction: v.completeIDs(false, false),
	}
	v.flags(c, operate.Text, operate.JSON)
	return c
}
