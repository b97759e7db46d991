package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/history"
)

// anID is the check of arguments of the commands that take a run, and from low to high arguments more; high -1: any number.
func anID(low, high int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if n := len(args) - 1; n < low || high >= 0 && n > high {
			return fmt.Errorf("expected %s, got %s; flowlua list shows the runs", what, arguments(len(args)))
		}
		return nil
	}
}

func arguments(n int) string {
	switch n {
	case 0:
		return "no arguments"
	case 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// completeIDs lets a shell complete the ID of a run, the first argument, or with all every one; open: only of those that are.
func (v *verb) completeIDs(open, all bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 && !all {
			return nil, cobra.ShellCompDirectiveDefault
		}
		store, err := v.open(v.streams, false)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer store.Close()
		c := operate.Console{Store: store}
		return c.Complete(context.Background(), begun, open), cobra.ShellCompDirectiveNoFileComp
	}
}

// newID is a flag that names a run which may not be there yet.
type newID string

func (id *newID) String() string { return string(*id) }
func (id *newID) Type() string   { return "id" }

// Set implements pflag.Value.
func (id *newID) Set(text string) error {
	*id = newID(text)
	return history.CheckID(text)
}
