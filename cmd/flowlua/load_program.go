package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/flowlua/flowlua/workflow"
)

// loadProgram reads a script with all that it requires, as run does: modules are looked for in the file's folder.
func loadProgram(path string) (*workflow.Program, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, exit(exitLoad, fmt.Errorf("%s is a directory: expected a script FILE", path))
	}
	program, err := workflow.LoadProgram(os.DirFS(filepath.Dir(path)), filepath.Base(path))
	if err != nil {
		text, trace := loadProblem(filepath.Dir(path), path, err)
		return nil, exit(exitLoad, errors.New(text+trace))
	}
	return program, nil
}
