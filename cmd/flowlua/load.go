package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// script is a file with what it requires, as they were when they were read: a pipe can be read only once.
type script struct {
	folder fs.FS
	file   string
}

// load finds the workflow to run in a file. Modules are looked for in the file's folder.
func load(path, workflowName string) (script, string, error) {
	program, err := loadProgram(path)
	if err != nil {
		return script{}, "", err
	}
	s := script{program.Files(), filepath.Base(path)}
	names := program.Workflows()
	switch {
	case workflowName == "" && len(names) == 1:
		return s, names[0], nil
	case workflowName == "":
		return s, "", usage("%s declares several workflows: say which with --workflow\n  %s", path, strings.Join(names, "\n  "))
	case !slices.Contains(names, workflowName):
		slices.Sort(names)
		return s, "", usage("%s declares no workflow '%s'%s; it has %s", path, workflowName, stdlib.Suggest(workflowName, names), strings.Join(names, ", "))
	}
	return s, workflowName, nil
}

// loadProblem says file:line: message, with the file as the user named it: folder is that of the script and its modules. The
// trace says by which way the error came, if that is more than the place.
func loadProblem(folder, path string, err error) (text, trace string) {
	var syntax *vm.SyntaxError
	var raised *stdlib.Error
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("there is no script %s", path), ""
	case errors.As(err, &syntax):
		named := *syntax
		named.Chunk = filepath.Join(folder, filepath.FromSlash(syntax.Chunk))
		return named.Error(), ""
	case errors.As(err, &raised):
		return raisedProblem(folder, path, raised)
	}
	return err.Error(), ""
}

// raisedProblem is about what the top level of a script raised.
func raisedProblem(folder, path string, err *stdlib.Error) (text, trace string) {
	text = err.Error()
	if err.Name == "Error" {
		text = err.Message // raised without a name
	}
	frames := err.Trace()
	if len(frames) == 0 {
		return path + ": " + text, ""
	}
	place, _, _ := strings.Cut(strings.TrimPrefix(frames[0], "at "), " in ")
	text = filepath.Join(folder, filepath.FromSlash(place)) + ": " + text
	if len(frames) > 1 {
		trace = "\n  " + strings.Join(frames, "\n  ")
	}
	return text, trace
}
