// Package suite finds spec files, runs their tests side by side, and reports what became of them.
package suite

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/flowlua/flowlua/workflow/flowtest"
)

// Place is a spec file, or some of its lines.
type Place struct {
	Path  string // as the user would write it
	Lines []int  // only the tests at these lines; nil: all
}

var atLine = regexp.MustCompile(`^(.+):(\d+)$`)

// Find lists the spec files that the paths name: files, FILE:LINE for one test, and folders with all in them but what is in folders
// whose names begin with a dot.
func Find(paths []string) (found []Place, err error) {
	add := func(p Place) {
		i := slices.IndexFunc(found, func(other Place) bool { return other.Path == p.Path })
		switch {
		case i < 0:
			found = append(found, p)
		case p.Lines == nil || found[i].Lines == nil:
			found[i].Lines = nil
		default:
			found[i].Lines = append(found[i].Lines, p.Lines...)
		}
	}
	for _, path := range paths {
		place := Place{Path: filepath.Clean(path)}
		info, err := os.Stat(path)
		if m := atLine.FindStringSubmatch(path); err != nil && m != nil {
			line, _ := strconv.Atoi(m[2])
			place = Place{Path: filepath.Clean(m[1]), Lines: []int{line}}
			info, err = os.Stat(m[1])
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("there is no spec file or folder %s", place.Path)
		case info.IsDir():
			inside, err := Walk(place.Path, flowtest.Suffix)
			if err != nil {
				return nil, err
			}
			for _, p := range inside {
				add(Place{Path: p})
			}
		case !strings.HasSuffix(place.Path, flowtest.Suffix):
			return nil, fmt.Errorf("%s is not a spec file: their names end in %s", place.Path, flowtest.Suffix)
		default:
			add(place)
		}
	}
	return found, nil
}

// Walk finds the files in a folder and below whose names end so, but for what is in folders whose names begin with a dot.
func Walk(folder, suffix string) (found []string, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != folder && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(path, suffix):
			found = append(found, path)
		}
		return nil
	})
	return found, err
}

// Root is the folder in which a script at path requires modules: its own, or the one above a folder named spec.
func Root(path string) string {
	folder := filepath.Dir(path)
	if absolute, err := filepath.Abs(folder); err == nil && filepath.Base(absolute) == "spec" {
		return filepath.Join(folder, "..")
	}
	return folder
}

var missing = regexp.MustCompile(`module '([^']+)' not found`)

// RootAbove is the nearest folder above one that has the module which an error says is missing; "" if there is none.
func RootAbove(folder string, err error) string {
	m := missing.FindStringSubmatch(err.Error())
	if m == nil {
		return ""
	}
	module := strings.ReplaceAll(m[1], ".", string(filepath.Separator))
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return ""
	}
	for up := filepath.Dir(absolute); up != absolute; absolute, up = up, filepath.Dir(up) {
		folder = filepath.Join(folder, "..")
		for _, file := range []string{module + ".lua", filepath.Join(module, "init.lua")} {
			if _, err := os.Stat(filepath.Join(up, file)); err == nil {
				return folder
			}
		}
	}
	return ""
}
