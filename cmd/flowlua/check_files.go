package main

import (
	"os"
	"slices"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/suite"
)

// scriptsIn are the files to be checked: those that are named, and of folders all scripts, but for the declarations that editors read.
func scriptsIn(paths []string) (files []string, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, usage("%w", err)
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		found, err := suite.Walk(path, ".lua")
		if err != nil {
			return nil, usage("%w", err)
		}
		found = slices.DeleteFunc(found, func(file string) bool { return strings.HasSuffix(file, ".d.lua") })
		if len(found) == 0 {
			return nil, usage("expected scripts in the folder %s, found no file whose name ends with .lua", path)
		}
		files = append(files, found...)
	}
	return files, nil
}
