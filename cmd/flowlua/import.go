package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

func newImportCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	c := &cobra.Command{
		Use:   "import HISTORY.json",
		Short: "Add a run that was exported",
		Long: `Add a run that "flowlua export" has written, under its own ID; - reads the standard input. One that is open goes on where it was
as soon as an engine drives it: "flowlua resume ID". See to it that it does not go on elsewhere, too.`,
		Example: "  flowlua import order-7.json\n  ssh box flowlua export order-7 | flowlua import -",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("expected one file, HISTORY.json, got %s", arguments(len(args)))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			file, name, err := recorded(args[0], s)
			if err != nil {
				return err
			}
			defer file.Close()
			return v.do(true, func(ctx context.Context, c *operate.Console) error { return c.Import(ctx, file, name) })
		},
	}
	v.flags(c, operate.Text, operate.JSON)
	return c
}

// recorded opens a recorded run.
func recorded(name string, s streams) (io.ReadCloser, string, error) {
	if name == "-" {
		return io.NopCloser(&bounded{Reader: s.In, most: mostRecorded}), "the standard input", nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, "", usage("%w", err)
	}
	return &recording{bounded{Reader: file, most: mostRecorded}, file}, name, nil
}
