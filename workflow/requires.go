package workflow

import (
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

	"github.com/flowlua/flowlua/internal/syntaxtree"
)

// mentions is what the text of one file says about what else it needs.
type mentions struct {
	modules  []string // require "name"
	dynamic  bool     // require is used in another way: any module may be asked for
	declares bool     // it speaks of flow.workflow
}

// readMentions looks through the syntax tree. The source has been compiled before, so it parses and is not too deep.
func readMentions(name, source string) mentions {
	var m mentions
	if strings.HasPrefix(source, "#") { // the line for the shell
		source = "--" + source
	}
	stmts, err := parse.Parse(strings.NewReader(source), name)
	if err != nil {
		m.dynamic = true
		return m
	}
	syntaxtree.Walk(stmts, m.visit)
	return m
}

// visit notes what a node says, and tells whether to go into it.
func (m *mentions) visit(node any) bool {
	switch n := node.(type) {
	case *ast.FuncCallExpr:
		if name, ok := literalRequire(n); ok {
			m.modules = append(m.modules, name)
			return false
		}
	case *ast.IdentExpr:
		m.dynamic = m.dynamic || n.Value == "require"
	case *ast.AttrGetExpr:
		if key, ok := n.Key.(*ast.StringExpr); ok && key.Value == "workflow" {
			m.declares = true
		}
	}
	return true
}

func literalRequire(call *ast.FuncCallExpr) (string, bool) {
	f, ok := call.Func.(*ast.IdentExpr)
	if !ok || f.Value != "require" || len(call.Args) != 1 {
		return "", false
	}
	name, ok := call.Args[0].(*ast.StringExpr)
	if !ok {
		return "", false
	}
	return name.Value, true
}

// moduleFiles are the places where a module may be, as require looks for it.
func moduleFiles(name string) []string {
	p := strings.ReplaceAll(name, ".", "/")
	return []string{p + ".lua", p + "/init.lua"}
}

// moduleName is the name under which require finds a file.
func moduleName(file string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(file, ".lua"), "/init")
	return strings.ReplaceAll(name, "/", ".")
}
