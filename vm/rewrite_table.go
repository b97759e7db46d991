package vm

import (
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

const (
	longList  = 50 // list items from which a constructor is miscompiled
	listPiece = 40 // list items stored by one call of the helper
)

func (w *rewriter) table(e *ast.TableExpr) ast.Expr {
	items := 0
	for _, f := range e.Fields {
		if f.Key != nil {
			f.Key = w.expr(f.Key)
			f.Value = one(w.expr(f.Value)) // or, in last place, all its values would be stored as items
		} else {
			items++
			f.Value = w.expr(f.Value)
		}
	}
	if items < longList {
		return e
	}
	return w.longTable(e)
}

// longTable makes a constructor in pieces:
//
//	(function(...) local t = {} (list)(t, 0, a, b, …) t[k] = v (list)(t, 40, …) return t end)(...)
func (w *rewriter) longTable(e *ast.TableExpr) ast.Expr {
	vararg := w.vararg[len(w.vararg)-1]
	t := w.temp()
	body := []ast.Stmt{local(t, at(&ast.TableExpr{}, e), e)}
	var piece []ast.Expr
	stored := 0
	flush := func() {
		if len(piece) == 0 {
			return
		}
		args := append([]ast.Expr{ident(t, e), at(&ast.NumberExpr{Value: strconv.Itoa(stored)}, e)}, piece...)
		call := at(&ast.FuncCallExpr{Func: ident(listName, e), Args: args}, e)
		body = append(body, at(&ast.FuncCallStmt{Expr: call}, e))
		stored += len(piece)
		piece = nil
	}
	for i, f := range e.Fields {
		last := i == len(e.Fields)-1
		if f.Key != nil {
			flush()
			k, v := w.temp(), w.temp()
			field := at(&ast.AttrGetExpr{Object: ident(t, e), Key: ident(k, e)}, e)
			body = append(body, do(f.Value, local(k, f.Key, f.Value), local(v, f.Value, f.Value),
				at(&ast.AssignStmt{Lhs: []ast.Expr{field}, Rhs: []ast.Expr{ident(v, e)}}, f.Value)))
			continue
		}
		if !last {
			one(f.Value)
		}
		piece = append(piece, f.Value)
		if len(piece) == listPiece {
			flush()
		}
	}
	flush()
	body = append(body, at(&ast.ReturnStmt{Exprs: []ast.Expr{ident(t, e)}}, e))
	call := at(&ast.FuncCallExpr{AdjustRet: true}, e)
	call.Func = at(&ast.FunctionExpr{ParList: &ast.ParList{HasVargs: vararg}, Stmts: body}, e)
	if vararg {
		call.Args = []ast.Expr{at(&ast.Comma3Expr{}, e)}
	}
	return call
}
