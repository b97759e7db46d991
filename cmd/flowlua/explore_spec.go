package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/suite"
	"github.com/flowlua/flowlua/workflow/explore"
	"github.com/flowlua/flowlua/workflow/flowtest"
)

// specFile is where --spec writes to.
type specFile struct {
	name string // "": nowhere
	spec explore.Spec
}

// newSpecFile checks --spec before anything is explored. The spec names the script from its own folder, where flowlua test looks for
// modules, or from the one above if its own is named spec.
func (o *exploreOptions) newSpecFile(file string) (specFile, error) {
	if o.spec == "" {
		return specFile{}, nil
	}
	if !strings.HasSuffix(o.spec, flowtest.Suffix) {
		return specFile{}, usage("--spec is a file whose name ends with %s, not %s: flowlua test finds it by that", flowtest.Suffix, o.spec)
	}
	if old, err := os.ReadFile(o.spec); err == nil && !strings.HasPrefix(string(old), explore.SpecLine) {
		return specFile{}, usage("--spec: %s is there, and was not written by flowlua explore: give another name", o.spec)
	}
	root, err := filepath.Abs(suite.Root(o.spec))
	if err != nil {
		return specFile{}, failed(err)
	}
	inside := func(name string) (string, error) {
		at, err := filepath.Abs(name)
		if err != nil {
			return "", err
		}
		rel, err := filepath.Rel(root, at)
		if err != nil || strings.HasPrefix(rel, "..") {
			return "", usage("--spec: %s cannot be required from %s: put the spec beside it, or into a folder spec there", name, o.spec)
		}
		return filepath.ToSlash(rel), nil
	}
	script, err := inside(file)
	if err != nil {
		return specFile{}, err
	}
	s := explore.Spec{Script: script, Workflow: o.workflow, NoCancel: o.noCancel, NoCrash: o.noCrash}
	if o.found != "" {
		module, err := inside(o.found)
		if err != nil {
			return specFile{}, err
		}
		s.Invariants = strings.ReplaceAll(strings.TrimSuffix(module, ".lua"), "/", ".")
	}
	return specFile{o.spec, s}, nil
}

// write writes the failures out, if there are any.
func (f *specFile) write(r *explore.Report) error {
	if f.name == "" || len(r.Failures) == 0 {
		return nil
	}
	return failed(os.WriteFile(f.name, []byte(f.spec.Text(r)), 0o644))
}
