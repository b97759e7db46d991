package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/lint"
	"github.com/flowlua/flowlua/stdlib"
)

func newCheckCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE|DIR...",
		Short: "Find mistakes in scripts without running them",
		Long: `Find mistakes in scripts without running them: syntax errors, undefined globals, unknown flow functions and
options, and calls that workflow code may not make. A script without those is loaded, as a run would do first: that finds
modules that do not exist and declarations that are wrong. Each is reported as file:line:column: message.
Of a folder all scripts in it and below are checked.
The exit code is 1 if there are any.`,
		Example: "  flowlua check scripts/*.lua\n  flowlua check scripts",
		Args:    someFiles,
		RunE: func(_ *cobra.Command, paths []string) error {
			files, err := scriptsIn(paths)
			if err != nil {
				return err
			}
			words, err := lint.Load(stdlib.Declarations())
			if err != nil {
				return failed(err)
			}
			said := map[lint.Problem]bool{} // several files may require a module that does not load
			for _, file := range files {
				source, err := readFile(file)
				if err != nil {
					return usage("%w", err)
				}
				problems := lint.Check(file, string(source), words)
				if len(problems) == 0 {
					problems = checkLoad(file)
				}
				for _, problem := range problems {
					if !said[problem] {
						fmt.Fprintln(s.Out, problem)
					}
					said[problem] = true
				}
			}
			if len(said) > 0 {
				return exit(exitFailed, nil)
			}
			return nil
		},
	}
}
