package vm

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// renamer turns the local variables of a chunk's top level into variables around the chunk, and the names that mean them
// into theirs. The newest of a name keeps it, so that messages can say it; those that it hides get names that messages
// leave out.
type renamer struct {
	chunk    string
	outer    map[string]string // name in scope at the top level → the variable around the chunk
	taken    map[string]string // variable of a declaration → the name declared
	declared []string          // in order
	used     map[string]string // variable of an earlier chunk → its name
	inner    []map[string]bool // the names of the blocks that surround
}

// top rewrites the statements of the top level.
func (r *renamer) top(in []ast.Stmt) []ast.Stmt {
	r.used = map[string]string{}
	last := map[string]int{}
	count := map[string]int{}
	for _, s := range in {
		if l, ok := s.(*ast.LocalAssignStmt); ok {
			for _, name := range l.Names {
				last[name]++
			}
		}
	}
	for name := range r.outer { // an earlier variable that this chunk hides
		if last[name] > 0 {
			r.outer[name] = "(" + name + " 0)"
		}
	}
	earlier := map[string]string{}
	for name, hidden := range r.outer {
		earlier[hidden] = name
	}
	out := make([]ast.Stmt, 0, len(in))
	for _, s := range in {
		l, ok := s.(*ast.LocalAssignStmt)
		if !ok {
			r.stmt(s)
			out = append(out, s)
			continue
		}
		_, function := single[*ast.FunctionExpr](l.Exprs)
		if !function {
			r.exprs(l.Exprs)
		}
		assign := at(&ast.AssignStmt{Rhs: l.Exprs}, l)
		for _, name := range l.Names {
			count[name]++
			hidden := name
			if count[name] < last[name] {
				hidden = fmt.Sprintf("(%s %d)", name, count[name])
			}
			r.outer[name], r.taken[hidden] = hidden, name
			r.declared = append(r.declared, hidden)
			assign.Lhs = append(assign.Lhs, ident(hidden, l))
		}
		if function { // it can see its own name
			r.exprs(l.Exprs)
		}
		if len(assign.Rhs) == 0 {
			assign.Rhs = []ast.Expr{at(&ast.NilExpr{}, l)}
		}
		out = append(out, assign)
	}
	for hidden := range r.used {
		if _, own := r.taken[hidden]; own {
			delete(r.used, hidden)
			continue
		}
		r.used[hidden] = earlier[hidden]
	}
	return out
}

func (r *renamer) enter(names ...string) {
	block := make(map[string]bool, len(names))
	for _, name := range names {
		block[name] = true
	}
	r.inner = append(r.inner, block)
}

func (r *renamer) leave() { r.inner = r.inner[:len(r.inner)-1] }

func (r *renamer) declare(names []string) {
	for _, name := range names {
		r.inner[len(r.inner)-1][name] = true
	}
}

func (r *renamer) ident(e *ast.IdentExpr) {
	for _, block := range r.inner {
		if block[e.Value] {
			return
		}
	}
	if hidden, ok := r.outer[e.Value]; ok {
		e.Value = hidden
		r.used[hidden] = ""
	}
}

func (r *renamer) block(in []ast.Stmt, names ...string) {
	r.enter(names...)
	r.stmts(in)
	r.leave()
}

func (r *renamer) stmts(in []ast.Stmt) {
	for _, s := range in {
		r.stmt(s)
	}
}

func (r *renamer) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		r.exprs(s.Lhs)
		r.exprs(s.Rhs)
	case *ast.LocalAssignStmt: // of an inner block
		_, function := single[*ast.FunctionExpr](s.Exprs)
		if function {
			r.declare(s.Names)
		}
		r.exprs(s.Exprs)
		r.declare(s.Names)
	case *ast.FuncCallStmt:
		r.expr(s.Expr)
	case *ast.DoBlockStmt:
		r.block(s.Stmts)
	case *ast.WhileStmt:
		r.expr(s.Condition)
		r.block(s.Stmts)
	case *ast.RepeatStmt:
		r.enter()
		r.stmts(s.Stmts)
		r.expr(s.Condition) // sees the variables of the block
		r.leave()
	case *ast.IfStmt:
		for next := s; next != nil; { // as deep as there are elseif
			r.expr(next.Condition)
			r.block(next.Then)
			chained, ok := single[*ast.IfStmt](next.Else)
			if !ok {
				r.block(next.Else)
			}
			next = chained
		}
	case *ast.NumberForStmt:
		r.exprs([]ast.Expr{s.Init, s.Limit, s.Step})
		r.block(s.Stmts, s.Name)
	case *ast.GenericForStmt:
		r.exprs(s.Exprs)
		r.block(s.Stmts, s.Names...)
	case *ast.FuncDefStmt:
		if s.Name.Receiver != nil {
			r.expr(s.Name.Receiver)
			r.enter("self")
			r.expr(s.Func)
			r.leave()
			return
		}
		r.expr(s.Name.Func)
		r.expr(s.Func)
	case *ast.ReturnStmt:
		r.exprs(s.Exprs)
	}
}

func (r *renamer) exprs(list []ast.Expr) {
	for _, e := range list {
		r.expr(e)
	}
}

func (r *renamer) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		r.ident(e)
	case *ast.AttrGetExpr:
		r.exprs([]ast.Expr{e.Object, e.Key})
	case *ast.TableExpr:
		for _, f := range e.Fields {
			r.exprs([]ast.Expr{f.Key, f.Value})
		}
	case *ast.FuncCallExpr:
		r.exprs([]ast.Expr{e.Func, e.Receiver})
		r.exprs(e.Args)
	case *ast.LogicalOpExpr:
		r.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.RelationalOpExpr:
		r.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.StringConcatOpExpr:
		r.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.ArithmeticOpExpr:
		r.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.UnaryMinusOpExpr:
		r.expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		r.expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		r.expr(e.Expr)
	case *ast.FunctionExpr:
		r.block(e.Stmts, e.ParList.Names...)
	}
}
