package vm

import "github.com/yuin/gopher-lua/ast"

// assign takes an assignment apart where the code generator would store too early. Its expressions are rewritten.
func (w *rewriter) assign(s *ast.AssignStmt) ast.Stmt {
	if len(s.Lhs) > 1 || len(s.Rhs) > 1 {
		return w.assignMany(s)
	}
	if _, ok := s.Lhs[0].(*ast.IdentExpr); !ok || !storesEarly(s.Rhs[0]) {
		return s
	}
	t := w.temp()
	return do(s, local(t, s.Rhs[0], s), at(&ast.AssignStmt{Lhs: s.Lhs, Rhs: []ast.Expr{ident(t, s)}}, s))
}

// storesEarly says whether a value that is assigned to a local is made in it while it is still needed: one side of a
// logical expression is not stored at all, a parenthesised call puts its function into the last parameter before it reads
// its arguments, and a parenthesised "..." wipes every local above.
func storesEarly(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		return true
	case *ast.FuncCallExpr:
		return e.AdjustRet
	case *ast.Comma3Expr:
		return e.AdjustRet
	}
	return false
}

func (w *rewriter) assignMany(s *ast.AssignStmt) ast.Stmt {
	var body []ast.Stmt
	for i, l := range s.Lhs {
		field, ok := l.(*ast.AttrGetExpr)
		if !ok {
			continue
		}
		object := w.temp()
		body = append(body, local(object, field.Object, s))
		key := field.Key
		if _, constant := key.(*ast.StringExpr); !constant {
			k := w.temp()
			body = append(body, local(k, key, s))
			key = ident(k, s)
		}
		s.Lhs[i] = at(&ast.AttrGetExpr{Object: ident(object, s), Key: key}, field)
	}
	names := make([]string, len(s.Lhs))
	for i := range names {
		names[i] = w.temp()
	}
	body = append(body, at(&ast.LocalAssignStmt{Names: names, Exprs: s.Rhs}, s))
	for i := len(s.Lhs) - 1; i >= 0; i-- {
		body = append(body, at(&ast.AssignStmt{Lhs: []ast.Expr{s.Lhs[i]}, Rhs: []ast.Expr{ident(names[i], s)}}, s))
	}
	return do(s, body...)
}
