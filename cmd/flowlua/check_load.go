package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/lint"
	"github.com/flowlua/flowlua/cmd/flowlua/suite"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/flowtest"
)

// checkLoad loads a script. Modules are looked for in its folder, but as the script may itself be a module that another one
// requires, also in a folder above if they are there.
func checkLoad(file string) []lint.Problem {
	path, err := filepath.Abs(file)
	if err != nil {
		return nil
	}
	folder := filepath.Dir(path)
	for {
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return nil
		}
		if err = loads(os.DirFS(folder), filepath.ToSlash(name)); err == nil {
			return nil
		}
		above := suite.RootAbove(folder, err)
		if above == "" {
			return []lint.Problem{loadedProblem(file, folder, name, err)}
		}
		folder = above
	}
}

func loads(folder fs.FS, file string) (err error) {
	if strings.HasSuffix(file, flowtest.Suffix) {
		_, err = flowtest.Load(folder, file)
	} else {
		var program *workflow.Program
		program, err = workflow.LoadProgram(folder, file)
		if err == nil && certain(program.Raised()) {
			err = program.Raised()
		}
	}
	return err
}

// certain reports whether an error of a file that is itself a workflow is one whatever its input is: that of a module or of a
// declaration.
func certain(err error) bool {
	return err != nil && (errors.As(err, new(*vm.SyntaxError)) || regardless.MatchString(err.Error()))
}

var regardless = regexp.MustCompile(`module '[^']+' not found|(?:^|: )flow\.(?:activity|activities|workflow|retry)\b`)

// loadedProblem is what is wrong with a script that does not load: in itself, or in a module that it requires.
func loadedProblem(file, folder, name string, err error) lint.Problem {
	shown, within := strings.CutSuffix(filepath.Clean(file), name)
	if !within {
		shown = folder
	}
	var syntax *vm.SyntaxError
	if errors.As(err, &syntax) {
		return lint.Syntax(filepath.Join(shown, filepath.FromSlash(syntax.Chunk)), syntax)
	}
	text, _ := loadProblem(shown, file, err)
	if at := position.FindStringSubmatch(text); at != nil {
		line, _ := strconv.Atoi(at[2])
		return lint.Problem{File: at[1], Line: line, Column: 1, Message: oneLine(at[3])}
	}
	return lint.Problem{File: file, Line: 1, Column: 1, Message: oneLine(text)}
}

var position = regexp.MustCompile(`(?s)^(.+?):(\d+): (.*)$`)

func oneLine(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, ":\n\t", ": "), "\n\t", ", ")
}
