package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/history"
)

func newResumeCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	var o driving
	var all bool
	c := &cobra.Command{
		Use:   "resume [ID | --all]",
		Short: "Take up runs that nobody drives, and drive them",
		Long: `Take up an open run whose process has ended, with the runs that it has started, and drive it to its end as "flowlua run" does.
It goes on where it was: what is done is done, timers go on by the clock, and activities that were being performed are
performed again. A run that another process drives is followed. One that an engine error has stopped (a limit, a script
that does not fit) is tried again.

With --all, and no ID, every open run that nobody drives is taken up. Ctrl-C hands them back, and they stay open.`,
		Example: `  flowlua resume order-7
  flowlua resume @last --limit instructions=1e9
  flowlua resume --all`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case all && len(args) > 0:
				return errors.New("expected either an ID or --all, got both")
			case !all && len(args) != 1:
				return fmt.Errorf("expected the ID of one run, or --all, got %s; flowlua list --status open shows which there are", arguments(len(args)))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(c); err != nil {
				return err
			}
			if all {
				return failed(resumeAll(s, o))
			}
			return failed(resumeOne(s, o, args[0]))
		},
	}
	c.ValidArgsFunction = func(c *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		v.database = o.database
		return v.completeIDs(true, false)(c, args, begun)
	}
	c.Flags().BoolVar(&all, "all", false, "every open run that nobody drives")
	o.flags(c)
	return c
}

func resumeOne(s streams, o driving, id string) error {
	store, err := o.open(s, false)
	if err != nil {
		return err
	}
	found := operate.Console{Store: store, Flags: o.hint()}
	run, err := found.Find(context.Background(), id)
	if err == nil && run.Status != history.Open {
		err = fmt.Errorf("run %s has ended (%s): %s shows it", run.ID, run.Status, o.command("show", run.ID))
	}
	if err != nil {
		return errors.Join(err, store.Close())
	}
	d, err := newDriver(s, store, o, nil)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	return d.finish(d.resume(run))
}
