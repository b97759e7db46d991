package vm

import (
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

const (
	longList  = 50 // list items from which a constructor is miscompiled
	listPiece = 40 // list items stored by one call of the helper
	mostCalls = 30 // calls of it inside each other: each needs registers
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

// longTable makes a constructor in pieces, each of which is stored by a call of the helper that gives the table back:
//
//	(list)((list)((list)({}, 0, a, b, …), nil, k, v), 40, …)
//
// and very long ones by
//
//	(function(...) local t = {} (list)(t, 0, a, b, …) t[k] = v (list)(t, 40, …) return t end)(...)
func (w *rewriter) longTable(e *ast.TableExpr) ast.Expr {
	if calls, ok := nestedCalls(e); ok {
		return calls
	}
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

func nestedCalls(e *ast.TableExpr) (ast.Expr, bool) {
	var table ast.Expr = at(&ast.TableExpr{}, e)
	stored, calls := 0, 0
	var piece []ast.Expr
	store := func(first ast.Expr, values ...ast.Expr) {
		args := append([]ast.Expr{table, first}, values...)
		table = at(&ast.FuncCallExpr{Func: ident(listName, e), Args: args, AdjustRet: true}, values[len(values)-1])
		calls++
	}
	flush := func() {
		if len(piece) > 0 {
			store(at(&ast.NumberExpr{Value: strconv.Itoa(stored)}, e), piece...)
			stored += len(piece)
			piece = nil
		}
	}
	last := len(e.Fields) - 1
	for i, f := range e.Fields {
		if f.Key != nil {
			flush()
			store(at(&ast.NilExpr{}, e), f.Key, f.Value)
		} else {
			piece = append(piece, f.Value)
			if len(piece) == listPiece || i == last {
				flush()
			}
		}
		if calls > mostCalls {
			return nil, false
		}
	}
	flush()
	for _, f := range e.Fields[:last] {
		one(f.Value)
	}
	return table, true
}
