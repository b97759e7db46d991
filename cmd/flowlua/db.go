package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newDBCommand(s streams) *cobra.Command {
	c := &cobra.Command{
		Use:     "db",
		Short:   "Look after the database",
		Long:    "Look after the database: the file in which runs are kept.",
		Example: "  flowlua db check",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newDBCheckCommand(s))
	return c
}

func newDBCheckCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	var replays bool
	c := &cobra.Command{
		Use:   "check",
		Short: "Read everything and say what is wrong with it",
		Long: `Read every run with its history and say what cannot be: a file that is damaged, a script that is not the one that a run names, a
turn that is missing, an operation that ends twice, a run that is not what its history says. With --replay each run is rebuilt, too.
The exit code is 1 if anything is wrong.`,
		Example: "  flowlua db check\n  flowlua db check --replay -o json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return v.do(false, func(ctx context.Context, c *operate.Console) error { return c.Check(ctx, replays) })
		},
	}
	c.Flags().BoolVar(&replays, "replay", false, "rebuild every run from its history, too")
	v.flags(c, operate.Text, operate.JSON)
	return c
}
