package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newDeleteCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	var yes bool
	c := &cobra.Command{
		Use:   "delete ID...",
		Short: "Delete runs that have ended",
		Long: `Delete runs that have ended, with their histories, the runs that they continue, and the runs that they have started. If one of all
is open or not there, none is deleted. On a terminal it asks before.`,
		Example: "  flowlua delete order-7 order-8\n  flowlua delete @last --yes",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("expected the ID of at least one run, got no arguments; flowlua list shows the runs")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return v.do(false, func(ctx context.Context, c *operate.Console) error {
				if yes || !s.interactive() {
					return c.Delete(ctx, args, nil)
				}
				return c.Delete(ctx, args, func(question string) bool { return s.confirmed(ctx, question) })
			})
		},
		ValidArgsFunction: v.completeIDs(false, true),
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	v.flags(c, operate.Text, operate.JSON)
	return c
}

// confirmed asks a question; whatever is not yes is no.
func (s streams) confirmed(ctx context.Context, question string) bool {
	fmt.Fprint(s.Err, question+" [y/N] ")
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(s.In).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case text := <-answer:
		return text == "y" || text == "yes"
	case <-ctx.Done():
		fmt.Fprintln(s.Err)
		return false
	}
}
