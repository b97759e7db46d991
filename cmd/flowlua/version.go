package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersionCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the versions of flowlua, Go and gopher-lua",
		Example: "  flowlua version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprint(s.Out, version())
			return nil
		},
	}
}

// version tells what this binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return describe(info)
}

// describe tells what a binary was built from.
func describe(info *debug.BuildInfo) string {
	lua, commit, changed := "unknown", "unknown", ""
	for _, m := range info.Deps {
		if m.Path == "github.com/yuin/gopher-lua" {
			lua = m.Version
		}
	}
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			commit = setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			changed = " with changes"
		}
	}
	return fmt.Sprintf("flowlua    %s\ncommit     %s%s\ngo         %s %s/%s\ngopher-lua %s\n",
		cmp.Or(info.Main.Version, "(devel)"), commit, changed, cmp.Or(info.GoVersion, runtime.Version()), runtime.GOOS, runtime.GOARCH, lua)
}
