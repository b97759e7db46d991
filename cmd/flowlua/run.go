package main

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua"
)

// runOptions are the flags of the run command.
type runOptions struct {
	workflow, input, id, output string
	timeout                     time.Duration
	trace, quiet                bool
}

func newRunCommand(s streams) *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a workflow to its end",
		Long: `Run a workflow to its end, in memory.

What the script prints goes to the standard output, and the result follows it if it is not nil. With -o json the
standard output has the result alone, as JSON, and print goes to the error stream. Progress is shown on the error
stream: live on a terminal, else one line for each thing that happens.

Input is one value, given as JSON; an array is one value too. The script's workflow gets it as its argument.

Modules that the script requires are looked for in its folder: require "shared.billing" is shared/billing.lua there.

The exit code is 0 if the run completed, 1 if it failed, 2 for wrong usage, 3 if the script does not load, 4 if the run
was cancelled or timed out, and 130 if it was interrupted. The first Ctrl-C cancels the run and lets it clean up, the
second one kills.`,
		Example: `  flowlua run scripts/checksums.lua --input '"."'
  flowlua run scripts/payment.lua --input '{"order": 7, "amount": 12.5}' -o json
  flowlua run scripts/retry_exponential.lua --workflow declared --trace
  echo '["cat.jpg", "dog.jpg"]' | flowlua run scripts/thumbnails.lua --input -`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if o.output != "text" && o.output != "json" {
				return usage("-o is 'text' or 'json', not '%s'", o.output)
			}
			if c.Flags().Changed("timeout") && o.timeout <= 0 {
				return usage("--timeout is a duration above zero, such as 30s or 5m, not %s", o.timeout)
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
	f.StringVar(&o.id, "id", "", "`ID` of the run; a new one if not given")
	f.DurationVar(&o.timeout, "timeout", 0, "cancel the run after this `DURATION`, such as 30s")
	f.BoolVar(&o.trace, "trace", false, "show every event and decision")
	f.StringVarP(&o.output, "output", "o", "text", "`FORMAT` of the result: text or json")
	f.BoolVar(&o.quiet, "quiet", false, "show no progress")
	return c
}

// run executes one workflow and reports its outcome.
func run(s streams, path string, input json.RawMessage, o runOptions) (err error) {
	script, name, err := load(path, o.workflow)
	if err != nil {
		return err
	}
	print := s.Out
	if o.output == "json" {
		print = s.Err
	}
	shown := newView(s, print, o.quiet, o.trace)
	defer shown.close()
	world := newUnderway()
	engine, err := flowlua.Open(":memory:", flowlua.Config{Scripts: script.folder, Print: shown, Observer: world.watched(shown.observer())})
	if err != nil {
		return err
	}
	var argument any
	if input != nil {
		argument = input
	}
	started, err := engine.Start(context.Background(), name, argument, flowlua.StartOptions{ID: o.id, Script: script.file})
	if err != nil {
		return err
	}
	stopped, err := wait(s, engine, started, o.timeout, world.idle, shown.say)
	if stopped == killed {
		return exit(exitInterrupted, errors.New("killed"))
	}
	if err == nil {
		err = started.Result(context.Background())
	}
	var results []json.RawMessage
	if info, lost := engine.Get(context.Background(), started.ID()); err == nil && len(info.Result) > 0 {
		err = errors.Join(lost, json.Unmarshal(info.Result, &results))
	}
	shown.close()
	return errors.Join(engine.Close(context.Background()), shown.lost, outcome(s, o, results, err, stopped))
}
