package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// execute runs one command line and returns the exit code.
func execute(args []string, s streams) int {
	root := newRootCommand(s)
	root.SetArgs(args)
	command, err := root.ExecuteC()
	var known *exitError
	if err != nil && !errors.As(err, &known) { // cobra's own: unknown commands, flags and numbers of arguments
		err = usage("%s\nSee '%s --help'.", strings.TrimSpace(err.Error()), command.CommandPath())
	}
	return report(s.Err, err)
}

func newRootCommand(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "flowlua",
		Short: "Run durable workflows written in Lua",
		Long:  "flowlua runs workflows written in Lua: branches that wait for work done elsewhere, with try, catch and finally around them.",
		Example: `  flowlua run scripts/checksums.lua --input '"."'
  flowlua repl scripts/payment.lua
  flowlua check scripts/*.lua
  flowlua show @last`,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, _ []string) error {
			if s.interactive() {
				return runRepl(s, nil, replOptions{})
			}
			return c.Help()
		},
	}
	root.Version = "set" // so that there is --version
	root.SetVersionTemplate(version())
	root.SetFlagErrorFunc(flagError)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.AddGroup(&cobra.Group{ID: "write", Title: "Write and run workflows:"}, &cobra.Group{ID: "see", Title: "See what runs do:"},
		&cobra.Group{ID: "act", Title: "Act on runs:"}, &cobra.Group{ID: "keep", Title: "Keep runs:"})
	group(root, "write", newInitCommand(s), newRunCommand(s), newTestCommand(s), newExploreCommand(s), newReplCommand(s), newCheckCommand(s), newTypesCommand(s))
	group(root, "see", newListCommand(s), newShowCommand(s), newTreeCommand(s), newStackCommand(s), newQueryCommand(s), newReplayCommand(s), newDebugCommand(s),
		newGraphCommand(s))
	group(root, "act", newResumeCommand(s), newSignalCommand(s), newCancelCommand(s), newTerminateCommand(s), newUpgradeCommand(s))
	group(root, "keep", newExportCommand(s), newImportCommand(s), newDeleteCommand(s), newDBCommand(s))
	root.AddCommand(newVersionCommand(s))
	return root
}

// group adds commands under a heading of the help.
func group(root *cobra.Command, id string, commands ...*cobra.Command) {
	for _, c := range commands {
		c.GroupID = id
		root.AddCommand(c)
	}
}

// someFiles is the check of arguments of the commands that take scripts.
func someFiles(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errors.New("expected at least one script FILE, got no arguments")
	}
	return nil
}

// oneFile is the check of arguments of the commands that take a script.
func oneFile(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("expected one script FILE, got %d arguments", len(args))
	}
	return nil
}
