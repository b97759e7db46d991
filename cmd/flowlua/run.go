package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

// runOptions are the flags of the run command.
type runOptions struct {
	driving
	workflow, input, id string
	memory              bool
}

func newRunCommand(s streams) *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a workflow to its end",
		Long: `Run a workflow to its end. What happens is kept in a file, so that a run whose process dies, or is killed, can go on
where it was: flowlua resume ID, or the same command with the same --id. With --memory it is forgotten at the end.

What the script prints goes to the standard output, and the result follows it if it is not nil. With -o json the
standard output has the result alone, as JSON, and print goes to the error stream. Progress is shown on the error
stream: live on a terminal, else one line for each thing that happens.

Input is one value, given as JSON; an array is one value too. The script's workflow gets it as its argument.

Modules that the script requires are looked for in its folder: require "shared.billing" is shared/billing.lua there.

The exit code is 0 if the run completed, 1 if it failed, 2 for wrong usage, 3 if the script does not load, 4 if the run
was cancelled or timed out, and 130 if it was interrupted. The first Ctrl-C cancels the run and lets it clean up, the
second one kills: the run stays open, and can be resumed. So it does after SIGTERM, which has exit code 143.
A run of that --id which another process drives is followed, and Ctrl-C ends only that.`,
		Example: `  flowlua run scripts/checksums.lua --input '"."'
  flowlua run scripts/payment.lua --input '{"order": 7, "amount": 12.5}' -o json
  flowlua run scripts/retry_exponential.lua --workflow declared --trace
  flowlua run scripts/checksums.lua --id nightly --input '"."' # again after a crash: it goes on
  echo '["cat.jpg", "dog.jpg"]' | flowlua run scripts/thumbnails.lua --input -`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(c); err != nil {
				return err
			}
			if o.memory && o.flag != "" {
				return usage("--memory keeps the run in no file, --db names one: leave one of them out")
			}
			input, err := readInput(o.input, c.Flags().Changed("input"), s)
			if err != nil {
				return err
			}
			return failed(run(s, args[0], input, o))
		},
	}
	f := c.Flags()
	f.StringVar(&o.workflow, "workflow", "", "`NAME` of the workflow, if the file declares several")
	f.StringVar(&o.input, "input", "", "the workflow's argument: `JSON`, @FILE, or - for the standard input")
	f.Var((*newID)(&o.id), "id", "`ID` of the run; a new one if not given")
	f.BoolVar(&o.memory, "memory", false, "keep the run in memory only: nothing is written")
	o.flags(c)
	_ = c.RegisterFlagCompletionFunc("id", func(c *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		v := verb{streams: s, database: o.database}
		return v.completeIDs(true, false)(c, nil, begun)
	})
	return c
}

// run executes one workflow, or follows an open run of that ID, and reports its outcome.
func run(s streams, path string, input json.RawMessage, o runOptions) (err error) {
	script, name, err := load(path, o.workflow)
	if err != nil {
		return err
	}
	store, err := o.store(s)
	if err != nil {
		return err
	}
	d, err := newDriver(s, store, o.driving, script.folder)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	return d.finish(d.startOrResume(name, script.file, input, o))
}

// store is where the run is kept.
func (o *runOptions) store(s streams) (history.Store, error) {
	if o.memory {
		return new(history.Memory), nil
	}
	store, err := o.open(s, true)
	if err != nil {
		return nil, fmt.Errorf("%w\n--memory keeps the run in memory instead", err)
	}
	return store, nil
}

// startOrResume begins the run. One of the ID that is open goes on instead.
func (d *driver) startOrResume(name, file string, input json.RawMessage, o runOptions) error {
	ctx := context.Background()
	var argument any
	if input != nil {
		argument = input
	}
	if o.id != "" {
		if run, err := d.store.Run(ctx, history.Ref{ID: o.id}); err == nil {
			return d.goOn(run, name, input)
		}
	}
	started, err := d.engine.Start(ctx, name, argument, flowlua.StartOptions{ID: o.id, Script: file})
	if errors.Is(err, flowlua.ErrAlreadyExists) { // another process was faster
		if run, err := d.store.Run(ctx, history.Ref{ID: o.id}); err == nil {
			return d.goOn(run, name, input)
		}
	}
	if err != nil {
		return err
	}
	return d.drive(started)
}

// goOn goes on with a run that was to begin and is there already.
func (d *driver) goOn(run history.Run, name string, input json.RawMessage) error {
	switch {
	case run.Status != history.Open:
		return fmt.Errorf("run %s has ended already (%s): %s shows it; for a new one give another --id, or %s first",
			run.ID, run.Status, d.command("show", run.ID), d.command("delete", run.ID))
	case run.Workflow != name:
		return usage("run %s is open and is a %s, not a %s: give another --id, or %s", run.ID, run.Workflow, name, d.command("resume", run.ID))
	case input != nil && !bytes.Equal(run.Input, append(append([]byte{'['}, input...), ']')):
		d.view.say("flowlua: run " + run.ID + " is open and goes on with the input it has; --input is not looked at")
	}
	return d.resume(run)
}
