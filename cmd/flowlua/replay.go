package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newReplayCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	var o operate.ReplayOptions
	var script string
	c := &cobra.Command{
		Use:   "replay ID | HISTORY.json",
		Short: "Run a script again by its history, and compare",
		Long: `Run the script of a run again by its history and tell whether it decides again what it decided then; if not, where it differs
first. Nothing is performed and nothing is changed. The argument is a run, or a file that "flowlua export" has written (its name
ends in .json, or it is - for the standard input). What is shown below is the execution tree at the end, or after the turn of the
event that --to names by its number in "flowlua show ID --events".

With --script another script is tried. The exit code is 1 if the replay differs.`,
		Example: `  flowlua replay order-7
  flowlua replay order-7 --to 5
  flowlua replay order-7.json --script order.lua`,
		Args: anID(0, 0, "the ID of one run or a HISTORY.json"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("to") && o.To < 1 {
				return usage("--to %d: expected the number of an event, from 1", o.To)
			}
			if script != "" {
				program, err := loadProgram(script)
				if err != nil {
					return err
				}
				o.Program, o.Shown = program, script
			}
			if filepath.Ext(args[0]) == ".json" || args[0] == "-" {
				return v.replayFile(args[0], o)
			}
			return v.do(false, func(ctx context.Context, c *operate.Console) error { return c.Replay(ctx, args[0], o) })
		},
		ValidArgsFunction: v.completeIDs(false, false),
	}
	c.Flags().Int64Var(&o.To, "to", 0, "stop after the turn of the `EVENT` of this number")
	c.Flags().StringVar(&script, "script", "", "try this script `FILE` instead of the run's own")
	v.flags(c, operate.Text, operate.JSON)
	return c
}

// replayFile needs no database.
func (v *verb) replayFile(name string, o operate.ReplayOptions) error {
	file, shown, err := recorded(name, v.streams)
	if err != nil {
		return err
	}
	defer file.Close()
	rec, err := operate.ReadRecording(file, shown)
	if err != nil {
		return exit(exitFailed, err)
	}
	ctx, stop := v.interruptible()
	defer stop()
	return v.outcome(ctx, v.console().ReplayRecording(ctx, &rec, o))
}
