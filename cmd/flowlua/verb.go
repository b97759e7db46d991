package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/history"
)

// verb is what the commands of an operator have in common.
type verb struct {
	database
	streams streams
	output  string
}

// flags adds --db and -o with the formats that the command knows.
func (v *verb) flags(c *cobra.Command, formats ...operate.Format) {
	v.addFlag(c)
	if len(formats) == 0 {
		return
	}
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	c.Flags().StringVarP(&v.output, "output", "o", "text", "`FORMAT` of the answer: "+or(names))
	_ = c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	check := c.Args
	c.Args = func(c *cobra.Command, args []string) error {
		for _, name := range names {
			if v.output == name {
				return check(c, args)
			}
		}
		return usage("-o is %s, not '%s'", or(names), v.output)
	}
}

// or lists words to choose from.
func or(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// do opens the file and lets the operator do something.
func (v *verb) do(create bool, what func(ctx context.Context, c *operate.Console) error) error {
	store, err := v.open(v.streams, create)
	if err != nil {
		return failed(err)
	}
	ctx, stop := v.interruptible()
	defer stop()
	console := v.console()
	console.Store = store
	return v.outcome(ctx, errors.Join(what(ctx, console), store.Close()))
}

// console is where the answers go.
func (v *verb) console() *operate.Console {
	s := v.streams
	c := &operate.Console{Out: s.Out, Err: s.Err, Format: operate.Format(v.output), Flags: v.hint()}
	if out := terminal(s.Out); out != nil {
		c.Color = s.Getenv("NO_COLOR") == "" && s.Getenv("TERM") != "dumb"
		c.Width, _, _ = term.GetSize(int(out.Fd()))
	}
	return c
}

// interruptible is a context that Ctrl-C ends.
func (v *verb) interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		select {
		case <-v.streams.Interrupts:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// outcome chooses the exit code.
func (v *verb) outcome(ctx context.Context, err error) error {
	var wrong *operate.Misuse
	var ended *operate.Ended
	var left *operate.Left
	switch {
	case err == nil:
		return nil
	case errors.As(err, &left):
		return exit(exitInterrupted, fmt.Errorf("interrupted: %w", left))
	case ctx.Err() != nil:
		return exit(exitInterrupted, errInterrupted)
	case errors.As(err, &wrong):
		return exit(exitUsage, err)
	case errors.As(err, &ended):
		return exit(endedCode(ended), nil)
	case errors.Is(err, operate.NotIdentical), errors.Is(err, operate.Unsound):
		return exit(exitFailed, nil)
	}
	return failed(err)
}

// endedCode is the exit code of a run that was followed.
func endedCode(e *operate.Ended) int {
	if e.Run.Status == history.Cancelled {
		return exitCancelled
	}
	return exitFailed
}
