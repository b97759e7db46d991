package vm

import "github.com/yuin/gopher-lua/ast"

// The code generator follows chains of jumps when it fills in their distances, and takes the distance of a jump that
// is already filled in for the number of a label. So no backward jump may land on a jump: a loop body and what follows
// a label get a harmless instruction first where they would begin with one.

// loop is block for the body of a loop.
func (w *rewriter) loop(in []ast.Stmt, p ast.PositionHolder) []ast.Stmt {
	out := w.block(in)
	if beginsWithJump(out) {
		out = append([]ast.Stmt{w.noop(p)}, out...)
	}
	return out
}

func (w *rewriter) noop(p ast.PositionHolder) ast.Stmt {
	return do(p, local(w.temp(), at(&ast.NilExpr{}, p), p))
}

// beginsWithJump says whether the first instruction of the statements may be a jump.
func beginsWithJump(in []ast.Stmt) bool {
	for _, s := range in {
		switch s := s.(type) {
		case *ast.BreakStmt, *ast.GotoStmt:
			return true
		case *ast.DoBlockStmt:
			if len(s.Stmts) > 0 {
				return beginsWithJump(s.Stmts)
			}
		case *ast.LabelStmt:
		case *ast.RepeatStmt:
			return beginsWithJump(s.Stmts)
		case *ast.WhileStmt:
			_, known := truth(s.Condition)
			return known
		case *ast.IfStmt:
			_, known := truth(s.Condition)
			return known
		default:
			return false
		}
	}
	return false
}
