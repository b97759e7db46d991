// Package project writes what editors and tools want of a project with workflows, and a first workflow with its tests.
package project

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/lint"
)

//go:embed template
var template embed.FS

// File is one that a project has.
type File struct {
	Path      string // within the project, with slashes
	Text      string
	About     string // what it is for, in a few words
	Generated bool   // it is not for editing, and may be written again
}

// marked is in every file that is written again without asking.
const marked = "-- Written by flowlua types. What is changed here is lost when that is run again.\n"

// Files are those of a new project, with the types in a folder of their own.
func Files(declarations fs.FS) ([]File, error) {
	words, err := lint.Load(declarations)
	if err != nil {
		return nil, err
	}
	list := []File{
		{Path: ".luarc.json", About: "for lua-language-server: where the types are"},
		{Path: ".luacheckrc", About: "for luacheck: what scripts and specs can use", Text: luacheckrc(words)},
		{Path: "stylua.toml", About: "for stylua: how scripts are formatted"},
		{Path: "order.lua", About: "a workflow"},
		{Path: "order_spec.lua", About: "its tests"},
	}
	for i := range list {
		if f := &list[i]; f.Text == "" {
			text, err := template.ReadFile("template/" + strings.TrimPrefix(f.Path, "."))
			if err != nil {
				return nil, err
			}
			f.Text = string(text)
		}
	}
	types, err := Types(declarations)
	for i := range types {
		types[i].Path = "types/" + types[i].Path
	}
	return append(list, types...), err
}

// Types are the declaration files, for editors.
func Types(declarations fs.FS) ([]File, error) {
	names, err := fs.Glob(declarations, "*.d.lua")
	if err != nil {
		return nil, err
	}
	var list []File
	for _, name := range names {
		text, err := fs.ReadFile(declarations, name)
		if err != nil {
			return nil, err
		}
		meta, rest, _ := strings.Cut(string(text), "\n") // ---@meta comes first
		list = append(list, File{Path: name, Text: meta + "\n" + marked + rest, Generated: true})
	}
	return list, nil
}

// Outcome is what became of a file.
type Outcome int

// A file that was there with another text is Kept, unless it may be written again.
const (
	Made Outcome = iota
	Same
	Replaced
	Kept
)

// Write writes a file into a folder, which is made if need be. What is there is replaced if it is generated, or with force.
func (f *File) Write(folder string, force bool) (Outcome, error) {
	name := filepath.FromSlash(f.Path)
	path := filepath.Join(folder, name)
	root, err := inside(folder)
	if err != nil {
		return Kept, plain(err)
	}
	defer root.Close()
	outcome := Made
	read := root.ReadFile
	at, err := root.Lstat(name)
	link := err == nil && at.Mode()&fs.ModeSymlink != 0
	if link {
		read = func(string) ([]byte, error) { return os.ReadFile(path) }
	}
	switch old, err := read(name); {
	case err == nil && string(old) == f.Text:
		return Same, nil
	case err == nil && !force && !(f.Generated && strings.Contains(string(old), marked)):
		return Kept, nil
	case err == nil:
		outcome = Replaced
	case !os.IsNotExist(err):
		return Kept, leadsOut(path, err)
	}
	if link {
		return Kept, fmt.Errorf("%s is a symbolic link, and what it points to is left alone: remove the link first", path)
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return Kept, leadsOut(path, err)
	}
	if err := root.WriteFile(name, []byte(f.Text), 0o644); err != nil {
		return Kept, leadsOut(path, err)
	}
	return outcome, nil
}

// leadsOut says of an error in a folder what it mostly is.
func leadsOut(path string, err error) error {
	if at, e := os.Lstat(filepath.Dir(path)); e == nil && at.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symbolic link, and what it points to is left alone: remove the link first", filepath.Dir(path))
	}
	return plain(err)
}

// inside opens a folder, which is made if need be. Nothing outside of it can be reached from there, by links neither.
func inside(folder string) (*os.Root, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	return os.OpenRoot(folder)
}

// plain is an error of a file without the name of the system call.
func plain(err error) error {
	if e, ok := err.(*os.PathError); ok {
		return fmt.Errorf("%s cannot be written: %w", e.Path, e.Err)
	}
	return err
}
