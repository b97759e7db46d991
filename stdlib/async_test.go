package stdlib

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatWaitsIsAsync: a function of flow whose code parks the branch is marked async, so that editors show where a workflow may wait.
func TestWhatWaitsIsAsync(t *testing.T) {
	packages, err := parser.ParseDir(token.NewFileSet(), ".", func(f fs.FileInfo) bool {
		return strings.HasPrefix(f.Name(), "flow") && !strings.HasSuffix(f.Name(), "_test.go")
	}, 0)
	require.NoError(t, err)
	calls := map[string][]string{}   // what a Go function calls by itself, as opposed to in functions that run later
	entries := map[string][]string{} // the Go functions behind a Lua name
	for _, file := range packages["stdlib"].Files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				calls[fn.Name.Name] = append(calls[fn.Name.Name], direct(fn.Body)...)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool { // {"sleep", (*Flow).sleep}
			if pair, ok := n.(*ast.CompositeLit); ok && pair.Type == nil && len(pair.Elts) == 2 {
				name, isName := pair.Elts[0].(*ast.BasicLit)
				method, isMethod := pair.Elts[1].(*ast.SelectorExpr)
				if isName && isMethod {
					key := strings.Trim(name.Value, `"`)
					entries[key] = append(entries[key], method.Sel.Name)
				}
			}
			return true
		})
	}
	waits := map[string]bool{"suspend": true}
	for grown := true; grown; {
		grown = false
		for fn, called := range calls {
			if !waits[fn] && slices.ContainsFunc(called, func(c string) bool { return waits[c] }) {
				waits[fn], grown = true, true
			}
		}
	}
	async := declaredAsync(t)
	found := 0
	for name, methods := range entries {
		if !slices.ContainsFunc(methods, func(m string) bool { return !waits[m] }) {
			found++
			require.True(t, async[name], "%s waits, and is not marked ---@async", name)
		}
	}
	require.GreaterOrEqual(t, found, 6)
	require.True(t, async["sleep"])
	require.False(t, async["now"])
}

// direct are the names of what a body calls, outside of function literals.
func direct(body ast.Node) (names []string) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			switch fn := n.Fun.(type) {
			case *ast.Ident:
				names = append(names, fn.Name)
			case *ast.SelectorExpr:
				names = append(names, fn.Sel.Name)
			}
		}
		return true
	})
	return names
}

// declaredAsync are the last names of functions of flow that are marked: sleep, await.
func declaredAsync(t *testing.T) map[string]bool {
	files, err := fs.Glob(Declarations(), "flow*.d.lua")
	require.NoError(t, err)
	async := map[string]bool{}
	for _, file := range files {
		text, err := fs.ReadFile(Declarations(), file)
		require.NoError(t, err)
		marked := false
		for line := range strings.Lines(string(text)) {
			switch {
			case strings.HasPrefix(line, "---@async"):
				marked = true
			case strings.HasPrefix(line, "function ") && marked:
				name, _, _ := strings.Cut(line, "(")
				async[name[strings.LastIndexAny(name, ".: ")+1:]] = true
				marked = false
			case !strings.HasPrefix(line, "---"):
				marked = false
			}
		}
	}
	return async
}
