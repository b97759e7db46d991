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

// bounds makes numbers of the values of a numeric for, as Lua converts texts: x - 0, with a mark that says what the number
// is for, so that an error can. Where a later value may do something, all are read before the first is converted.
func (w *rewriter) bounds(s *ast.NumberForStmt) ast.Stmt {
	values := []*ast.Expr{&s.Init, &s.Limit}
	if s.Step != nil {
		values = append(values, &s.Step)
	}
	convert := false
	for _, v := range values {
		convert = convert || !numeric(*v)
	}
	if !convert {
		return s
	}
	var out ast.Stmt = s
	for _, v := range values[1:] {
		if !numeric(*v) && !flat([]ast.Expr{*v}) {
			var names []string
			var exprs []ast.Expr
			for _, v := range values {
				names, exprs = append(names, w.temp()), append(exprs, one(*v))
				*v = at(&ast.IdentExpr{Value: names[len(names)-1]}, *v)
			}
			out = do(s, at(&ast.LocalAssignStmt{Names: names, Exprs: exprs}, s), s)
			break
		}
	}
	for i, v := range values {
		if numeric(*v) {
			continue
		}
		e := &ast.ArithmeticOpExpr{Operator: "-", Lhs: one(*v), Rhs: at(&ast.NumberExpr{Value: "0"}, s)}
		e.SetLine(s.Line() | (int(initial)+i)<<lineBits)
		*v = e
	}
	return out
}

// numeric says whether a value is a number if it is anything.
func numeric(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.NumberExpr, *ast.UnaryLenOpExpr:
		return true
	case *ast.UnaryMinusOpExpr:
		_, ok := e.Expr.(*ast.NumberExpr)
		return ok
	}
	return false
}
