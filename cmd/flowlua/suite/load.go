package suite

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/flowlua/flowlua/workflow/flowtest"
)

// File is a spec file, loaded or broken.
type File struct {
	Place
	Root string // the folder in which it requires modules
	Err  error  // why it does not load

	file *flowtest.File
}

// Open loads a spec file.
func Open(p Place) *File {
	f := &File{Place: p, Root: Root(p.Path)}
	for {
		name, err := within(f.Root, p.Path)
		if err == nil {
			f.file, err = flowtest.Load(os.DirFS(f.Root), name)
		}
		f.Err = err
		if err == nil {
			return f
		}
		above := RootAbove(f.Root, err)
		if above == "" {
			return f
		}
		f.Root = above
	}
}

// within is a path as it is in a folder, with slashes.
func within(folder, path string) (string, error) {
	a, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	b, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	name, err := filepath.Rel(a, b)
	return filepath.ToSlash(name), err
}

// Shown is a place in the script's folder, "order.lua:12", as the user would write it.
func (f *File) Shown(place string) string {
	path := filepath.Join(f.Root, filepath.FromSlash(place))
	if filepath.IsAbs(path) {
		return path
	}
	if full, err := filepath.Abs(path); err == nil { // ../spec/a_spec.lua may be in the current folder
		if here, err := filepath.Abs("."); err == nil {
			if short, err := filepath.Rel(here, full); err == nil {
				return short
			}
		}
	}
	return path
}

// Choice says which tests to run. The zero value takes all.
type Choice struct {
	Filter       *regexp.Regexp // of titles
	Tags, Except []string
}

// tests are those of the file that are chosen.
func (f *File) tests(c Choice) (list []flowtest.Test) {
	if f.Err != nil {
		return nil
	}
	has := func(t *flowtest.Test, tags []string) bool {
		return slices.ContainsFunc(tags, func(tag string) bool { return slices.Contains(t.Tags, tag) })
	}
	at := f.chosen()
	for i := range f.file.Tests {
		t := &f.file.Tests[i]
		switch {
		case f.Lines != nil && !at[t.Line]:
		case c.Filter != nil && !c.Filter.MatchString(t.Title()):
		case len(c.Tags) > 0 && !has(t, c.Tags), has(t, c.Except):
		default:
			list = append(list, *t)
		}
	}
	return list
}

// chosen are the lines of the tests that Lines mean: each the last that begins there or before.
func (f *File) chosen() map[int]bool {
	at := map[int]bool{}
	for _, line := range f.Lines {
		best := 0
		for i := range f.file.Tests {
			if l := f.file.Tests[i].Line; l <= line && l > best {
				best = l
			}
		}
		at[best] = true
	}
	return at
}
