package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/lint"
	"github.com/flowlua/flowlua/stdlib"
)

func newCheckCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Find mistakes in scripts without running them",
		Long: `Find mistakes in scripts without running them: syntax errors, undefined globals, unknown flow functions and
options, and calls that workflow code may not make. Each is reported as file:line:column: message.
The exit code is 1 if there are any.`,
		Example: "  flowlua check scripts/*.lua",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			words, err := lint.Load(stdlib.Declarations())
			if err != nil {
				return err
			}
			found := 0
			for _, file := range files {
				source, err := os.ReadFile(file)
				if err != nil {
					return usage("%w", err)
				}
				for _, problem := range lint.Check(file, string(source), words) {
					fmt.Fprintln(s.Out, problem)
					found++
				}
			}
			if found > 0 {
				return exit(exitFailed, nil)
			}
			return nil
		},
	}
}
