package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

// script is a file with the folder that it and what it requires are in.
type script struct {
	folder fs.FS
	file   string
}

// load finds the workflow to run in a file. Modules are looked for in the file's folder.
func load(path, workflowName string) (script, string, error) {
	s := script{os.DirFS(filepath.Dir(path)), filepath.Base(path)}
	program, err := workflow.LoadProgram(s.folder, s.file)
	if err != nil {
		return s, "", exit(exitLoad, errors.New(loadProblem(path, err)))
	}
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

// loadProblem says file:line: message, with the file as the user named it.
func loadProblem(path string, err error) string {
	var syntax *vm.SyntaxError
	var raised *stdlib.Error
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("there is no script %s", path)
	case errors.As(err, &syntax):
		named := *syntax
		named.Chunk = filepath.Join(filepath.Dir(path), filepath.FromSlash(syntax.Chunk))
		return named.Error()
	case errors.As(err, &raised):
		return raisedProblem(path, raised)
	}
	return err.Error()
}

// raisedProblem is about what the top level of a script raised.
func raisedProblem(path string, err *stdlib.Error) string {
	text := err.Error()
	if err.Name == "Error" {
		text = err.Message // raised without a name
	}
	trace := err.Trace()
	if len(trace) == 0 {
		return path + ": " + text
	}
	place, _, _ := strings.Cut(strings.TrimPrefix(trace[0], "at "), " in ")
	text = filepath.Join(filepath.Dir(path), filepath.FromSlash(place)) + ": " + text
	if len(trace) > 1 {
		text += "\n  " + strings.Join(trace, "\n  ")
	}
	return text
}
