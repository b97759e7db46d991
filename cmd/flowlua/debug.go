package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/cmd/flowlua/repl"
	"github.com/flowlua/flowlua/history"
)

// debugOptions are the flags of the debug command.
type debugOptions struct {
	at      int
	execute []string
	stay    bool
}

func newDebugCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	var o debugOptions
	c := &cobra.Command{
		Use:   "debug ID | HISTORY.json",
		Short: "Look into a copy of a run: step, variables, expressions",
		Long: `Look into a copy of a run, rebuilt from its history with the script that it runs on, at its end or after the turn of the event
that --at names by its number in "flowlua show ID --events". The argument is a run, or a file that "flowlua export" has written.

:step and :back go through the history, :branches lists what waits and what was raised, :locals shows variables, and an expression
is evaluated where the chosen branch stands; :help lists all. From any point the copy can also go another way: values can be
assigned, time can pass, activities be completed or fail by hand. The stored run is never changed, and nothing is performed.

With -e the commands or expressions are carried out, and that is all, unless -i is given.`,
		Example: `  flowlua debug order-7
  flowlua debug @last --at 5
  flowlua debug order-7.json -e :back -e :branches -e :locals`,
		Args: anID(0, 0, "the ID of one run or a HISTORY.json"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("at") && o.at < 1 {
				return usage("--at %d: expected the number of an event, from 1", o.at)
			}
			rec, err := v.recording(args[0])
			if err != nil {
				return err
			}
			return runDebug(s, &rec, o)
		},
		ValidArgsFunction: v.completeIDs(false, false),
	}
	c.Flags().IntVar(&o.at, "at", 0, "begin after the turn of the `EVENT` of this number")
	c.Flags().StringArrayVarP(&o.execute, "execute", "e", nil, "carry out this `LINE`; may be given several times")
	c.Flags().BoolVarP(&o.stay, "interactive", "i", false, "go on with the input after -e")
	v.flags(c)
	return c
}

// recording is a run of the database, or one that was exported.
func (v *verb) recording(name string) (rec history.Recording, err error) {
	if filepath.Ext(name) != ".json" && name != "-" {
		err = v.do(false, func(ctx context.Context, c *operate.Console) error {
			rec, err = c.Recording(ctx, name)
			return err
		})
		return rec, err
	}
	file, shown, err := recorded(name, v.streams)
	if err != nil {
		return rec, err
	}
	defer file.Close()
	if rec, err = history.ReadRecording(file); err != nil {
		return rec, exit(exitFailed, fmt.Errorf("%s: %w", shown, err))
	}
	return rec, nil
}

func runDebug(s streams, rec *history.Recording, o debugOptions) error {
	config := replConfig(s)
	config.Limits = operate.Patience
	session, err := repl.Debug(config, rec, o.at)
	var wrong *repl.NoSuchEvent
	switch {
	case errors.As(err, &wrong):
		return usage("--at %d: %w", o.at, err)
	case err != nil:
		return exit(exitFailed, fmt.Errorf("run %s: %w", rec.Run.ID, err))
	}
	defer session.Close()
	if s.interactive() && (len(o.execute) == 0 || o.stay) {
		fmt.Fprintf(s.Out, "flowlua: a copy of run %s. :help for help\n", rec.Run.ID)
		session.Welcome()
	}
	for _, line := range o.execute {
		session.Input(line)
		session.End()
	}
	if len(o.execute) > 0 && !o.stay {
		if session.Failed() {
			return exit(exitFailed, nil)
		}
		return nil
	}
	return converse(s, session)
}
