package vm

import (
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// pop adds to t[#t] = nil a call of the helper that makes the list shorter. gopher-lua keeps the nil, and # looks through
// all of them from the end: to empty a list of n values so would take n² steps.
func (w *rewriter) pop(s *ast.AssignStmt, rewritten ast.Stmt) ast.Stmt {
	field, ok := single[*ast.AttrGetExpr](s.Lhs)
	if !ok || rewritten != ast.Stmt(s) {
		return rewritten
	}
	length, ok := field.Key.(*ast.UnaryLenOpExpr)
	if _, isNil := single[*ast.NilExpr](s.Rhs); !ok || !isNil || !samePath(field.Object, length.Expr) {
		return rewritten
	}
	call := at(&ast.FuncCallExpr{Func: ident(popName, s), Args: []ast.Expr{field.Object}}, s)
	return do(s, s, at(&ast.FuncCallStmt{Expr: call}, s))
}

// samePath says whether two expressions are the same variable, or the same field of one: self.items.
func samePath(a, b ast.Expr) bool {
	switch a := a.(type) {
	case *ast.IdentExpr:
		b, ok := b.(*ast.IdentExpr)
		return ok && a.Value == b.Value
	case *ast.AttrGetExpr:
		b, ok := b.(*ast.AttrGetExpr)
		if !ok || !samePath(a.Object, b.Object) {
			return false
		}
		x, ok1 := a.Key.(*ast.StringExpr)
		y, ok2 := b.Key.(*ast.StringExpr)
		return ok1 && ok2 && x.Value == y.Value
	}
	return false
}

// shorten(t) drops the nil behind the last value of a list.
func shorten(l *lua.LState) int {
	if t, ok := l.Get(1).(*lua.LTable); ok {
		t.Remove(t.Len() + 1)
	}
	return 0
}
