package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/cmd/flowlua/project"
	"github.com/flowlua/flowlua/stdlib"
)

func newInitCommand(s streams) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Begin a project: a workflow, its tests, types for editors",
		Long: `Begin a project in a folder, which is made if it is not there; without DIR in the current one: a workflow with its tests, what
lua-language-server, luacheck and stylua want to know, and the types of the standard library.

Files that are there already are kept, which is said, unless --force is given.`,
		Example: `  flowlua init shop
  flowlua init`,
		Args: atMostOneFolder,
		RunE: func(_ *cobra.Command, args []string) error {
			folder := "."
			if len(args) > 0 {
				folder = args[0]
			}
			files, err := project.Files(stdlib.Declarations())
			if err != nil {
				return failed(err)
			}
			counts, err := writeFiles(s, folder, files, force)
			if err != nil {
				return failed(err)
			}
			if counts[project.Kept]+counts[project.Same] == len(files) {
				fmt.Fprintf(s.Out, "%s is a project already: nothing was written\n", folder)
			} else {
				fmt.Fprint(s.Out, begun(folder, files))
			}
			if counts[project.Kept] > 0 {
				return exit(exitFailed, nil)
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	}
	c.Flags().BoolVar(&force, "force", false, "replace files that are there already")
	return c
}

// begun tells what a project has and what to do next.
func begun(folder string, files []project.File) string {
	var b strings.Builder
	for _, f := range files {
		if !f.Generated {
			fmt.Fprintf(&b, "  %-15s %s\n", f.Path, f.About)
		}
	}
	fmt.Fprintf(&b, "  %-15s for editors: what scripts can use; flowlua types writes it anew\n", "types/")
	b.WriteString("next:\n")
	if clean := filepath.Clean(folder); clean != "." {
		fmt.Fprintf(&b, "  cd %s\n", operate.ShellWord(clean))
	}
	b.WriteString("  flowlua test\n  flowlua run order.lua --input '{ \"id\": 7, \"amount\": 120 }'\n")
	return b.String()
}
