package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/project"
	"github.com/flowlua/flowlua/stdlib"
)

func newTypesCommand(s streams) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "types [DIR]",
		Short: "Write the types of the standard library for editors",
		Long: `Write the declaration files of all that scripts and specs can use, with documentation and examples, for editors that know
LuaCATS annotations, such as those with lua-language-server. What waits is marked async. DIR is types if it is not given; name it
in .luarc.json as workspace.library, as "flowlua init" does.

Files that an older flowlua has written are replaced; others are kept unless --force is given.`,
		Example: `  flowlua types
  flowlua types .vscode/flowlua`,
		Args: atMostOneFolder,
		RunE: func(_ *cobra.Command, args []string) error {
			folder := "types"
			if len(args) > 0 {
				folder = args[0]
			}
			files, err := project.Types(stdlib.Declarations())
			if err != nil {
				return failed(err)
			}
			counts, err := writeFiles(s, folder, files, force)
			if err != nil {
				return failed(err)
			}
			fmt.Fprintf(s.Out, "%s: %d files written, %d as they were\n", folder, counts[project.Made]+counts[project.Replaced], counts[project.Same])
			if counts[project.Kept] > 0 {
				return exit(exitFailed, nil)
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	}
	c.Flags().BoolVar(&force, "force", false, "replace files that something else has written")
	return c
}

// writeFiles writes files and tells of those that are kept. It counts by what became of them.
func writeFiles(s streams, folder string, files []project.File, force bool) (map[project.Outcome]int, error) {
	counts := map[project.Outcome]int{}
	for i := range files {
		outcome, err := files[i].Write(folder, force)
		if err != nil {
			return counts, err
		}
		counts[outcome]++
		if outcome == project.Kept {
			fmt.Fprintf(s.Err, "kept %s: it is there already and says something else; --force replaces it\n", filepath.Join(folder, files[i].Path))
		}
	}
	return counts, nil
}

func atMostOneFolder(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("expected at most one folder DIR, got %d arguments", len(args))
	}
	return nil
}
