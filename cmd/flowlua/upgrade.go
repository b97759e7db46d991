package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newUpgradeCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	var o operate.UpgradeOptions
	var all bool
	var workflow string
	c := &cobra.Command{
		Use:   "upgrade ID FILE | --all --workflow NAME FILE",
		Short: "Move open runs to another script, if it fits them",
		Long: `Move an open run to another script. A run goes on with the script it was started with, whatever becomes of the file. This gives it
the present text of FILE, and of what that requires, if a replay proves that the script would have decided all that the run has
decided so far. Otherwise the run stays as it is, and the first operation and line are named that do not fit; flow.version is the
way to change what runs have passed already.

With --all every open run of a workflow is tried. The exit code is 1 if the script does not fit, 3 if it does not load.`,
		Example: `  flowlua upgrade order-7 order.lua --dry-run
  flowlua upgrade --all --workflow order order.lua`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case all && len(args) != 1:
				return fmt.Errorf("expected one script FILE with --all, got %s", arguments(len(args)))
			case !all && len(args) != 2:
				return fmt.Errorf("expected the ID of a run and a script FILE, got %s; flowlua list shows the runs", arguments(len(args)))
			case !all && workflow != "":
				return fmt.Errorf("--workflow is for --all: a run is named by its ID")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			o.Shown = args[len(args)-1]
			program, err := loadProgram(o.Shown)
			if err != nil {
				return err
			}
			o.Program = program
			return v.do(false, func(ctx context.Context, c *operate.Console) error {
				if all {
					return c.UpgradeAll(ctx, workflow, o)
				}
				return c.Upgrade(ctx, args[0], o)
			})
		},
		ValidArgsFunction: v.completeIDs(true, false),
	}
	f := c.Flags()
	f.BoolVar(&o.DryRun, "dry-run", false, "only say whether it fits")
	f.BoolVar(&all, "all", false, "all open runs of a workflow")
	f.StringVar(&workflow, "workflow", "", "`NAME` of the workflow, for --all")
	v.flags(c, operate.Text, operate.JSON, operate.JSONL)
	return c
}
