// Package lint finds mistakes in workflow scripts without running them: names nobody defines, flow functions and options
// that do not exist, and calls that workflow code may not make.
//
// What exists is read from the declarations of the standard library (its .d.lua files), so the two cannot drift apart.
package lint

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/yuin/gopher-lua/parse"

	"github.com/flowlua/flowlua/vm"
)

// Problem is one finding. Line and Column count from 1, the column in bytes, as Lua's own messages and editors do.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func (p Problem) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// Check returns the problems of one script, in the order of its lines. A script with a syntax error has exactly that one
// problem.
func Check(file, source string, words *Vocabulary) []Problem {
	var syntax *vm.SyntaxError
	if _, err := vm.Compile(file, source, vm.Limits{}); errors.As(err, &syntax) {
		return []Problem{Syntax(file, syntax)}
	}
	source = blankShebang(source)
	chunk, err := parse.Parse(strings.NewReader(source), file)
	if err != nil {
		return nil // what the engine accepts is no mistake
	}
	c := &checker{file: file, words: words.of(file), places: locate(source)}
	c.chunk(chunk)
	c.reportGlobals()
	c.reportWorlds()
	sort.SliceStable(c.problems, func(i, j int) bool {
		a, b := c.problems[i], c.problems[j]
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	return c.problems
}

// checker holds what one walk over a script collects: which function each name is used in, and what is called.
type checker struct {
	file     string
	words    *Vocabulary
	places   places
	problems []Problem

	scope    *scope
	unit     *unit
	main     *unit
	units    []*unit
	globals  []globalUse
	uses     []use
	assigned map[string]bool
}

func (c *checker) report(line int, name, format string, args ...any) {
	c.reportAt(line, c.places.next(line, name), format, args...)
}

func (c *checker) reportAt(line, column int, format string, args ...any) {
	c.problems = append(c.problems, Problem{File: c.file, Line: line, Column: column, Message: fmt.Sprintf(format, args...)})
}

// blankShebang keeps the line count when a script starts with "#!": Lua's loader skips that line, the parser does not.
func blankShebang(source string) string {
	if !strings.HasPrefix(source, "#") {
		return source
	}
	if end := strings.IndexByte(source, '\n'); end >= 0 {
		return source[end:]
	}
	return ""
}

// Syntax is what a run would say of a file that does not compile, with the column.
func Syntax(file string, err *vm.SyntaxError) Problem {
	_, message, _ := strings.Cut(strings.TrimPrefix(err.Error(), err.Chunk+":"), ": ")
	return Problem{File: file, Line: err.Line, Column: max(err.Column, 1), Message: message}
}
