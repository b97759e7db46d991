package vm

import "github.com/yuin/gopher-lua/ast"

// hoist gives the three values of a generic for locals of their own. gopher-lua evaluates them three registers below
// its top, where a call within a call overwrites the function that is to be called: `for k in f().walk(x) do`.
func (w *rewriter) hoist(s *ast.GenericForStmt) ast.Stmt {
	names := []string{w.temp(), w.temp(), w.temp()}
	values := at(&ast.LocalAssignStmt{Names: names, Exprs: s.Exprs}, s)
	s.Exprs = nil
	for _, name := range names {
		s.Exprs = append(s.Exprs, at(&ast.IdentExpr{Value: name}, s))
	}
	return do(s, values, s)
}

// flat says whether the values of a generic for are names and literals, or one call of a name with such arguments.
func flat(values []ast.Expr) bool {
	if call, ok := values[0].(*ast.FuncCallExpr); ok && len(values) == 1 && call.Receiver == nil {
		if _, named := call.Func.(*ast.IdentExpr); named {
			values = call.Args
		}
	}
	for _, v := range values {
		switch v.(type) {
		case *ast.IdentExpr, *ast.NilExpr, *ast.TrueExpr, *ast.FalseExpr, *ast.NumberExpr, *ast.StringExpr:
		default:
			return false
		}
	}
	return true
}
