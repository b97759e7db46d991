package vm

import (
	"fmt"
	"strconv"

	"github.com/yuin/gopher-lua/ast"

	"github.com/flowlua/flowlua/vm/internal/syntax"
)

// The rewrite gives gopher-lua's code generator a tree with the same meaning that it does not miscompile:
//
//	x = a and b, x = (f()), x = (...)       the value goes through a local of its own (rewrite_assign.go)
//	a, b = b, a                             objects, keys and values first, then the assignments from right to left
//	if true, while false, 1 and x, not nil  literals in conditions are folded (rewrite_expr.go)
//	while c do break end, ::l:: goto l      no loop and no label begins with a jump (rewrite_jump.go)
//	for x in f do                           the expressions are filled up to three
//	{1, 2, …, 50, k = v, f()}               long constructors are made in pieces (rewrite_table.go)
//	return f(1, ...)                        the number of values is bounded
//	a % b, a ^ b                            helpers compute as C does (rewrite_expr.go)
//	for i = "1", n do                       texts of numbers are converted (rewrite_for.go)
//	t[#t] = nil                             the list becomes shorter, or # would look through all it ever held (rewrite_pop.go)
//
// and it takes a..b..c out of the interpreter, into a helper that writes numbers as Lua does and knows limits, and numbers'
// texts from the parser, whose idea of them is not Lua's.

// Names of helpers and temporaries have a parenthesis, so that no script can say them.
const (
	concatName = "(concat)"
	listName   = "(list)"
	moreName   = "(more)"
	popName    = "(pop)"
	modName    = "(mod)"
	powName    = "(pow)"
)

// helperNames are in the order of State.helpers.
var helperNames = []string{concatName, listName, moreName, popName, modName, powName, syntax.PackName}

// maxSpine is how many operators, calls or fields may follow each other on one level: the tree is as deep as that on its
// left side, and the code generator takes time by its square.
const maxSpine = 4000

// maxElse is how many elseif a statement may have; each is inside the one before.
const maxElse = 2000

type rewriter struct {
	chunk    string
	temps    int
	depth    int
	spine    int
	maxDepth int
	vararg   []bool // for the functions around: have they "..."?
}

// rewrite returns the new tree; the old one is used up.
func rewrite(tree []ast.Stmt, chunk string, maxDepth int) (out []ast.Stmt, err error) {
	defer func() {
		if r := recover(); r != nil {
			failed, ok := r.(*SyntaxError)
			if !ok {
				panic(r)
			}
			out, err = nil, failed
		}
	}()
	w := &rewriter{chunk: chunk, maxDepth: maxDepth, vararg: []bool{true}}
	return w.block(tree), nil
}

func (w *rewriter) fail(p ast.PositionHolder, format string, args ...any) {
	panic(&SyntaxError{Chunk: w.chunk, Line: max(1, p.Line()), Message: fmt.Sprintf(format, args...)})
}

func (w *rewriter) enter(p ast.PositionHolder) {
	w.depth++
	if w.depth > w.maxDepth {
		w.fail(p, "chunk has too many syntax levels (more than %d: Limits.SyntaxDepth)", w.maxDepth)
	}
}

func (w *rewriter) leave() { w.depth-- }

func (w *rewriter) temp() string {
	w.temps++
	return "(" + strconv.Itoa(w.temps) + ")"
}

func at[T ast.PositionHolder](node T, p ast.PositionHolder) T {
	node.SetLine(p.Line())
	node.SetLastLine(p.LastLine())
	return node
}

func ident(name string, p ast.PositionHolder) *ast.IdentExpr {
	return at(&ast.IdentExpr{Value: name}, p)
}

func local(name string, value ast.Expr, p ast.PositionHolder) ast.Stmt {
	return at(&ast.LocalAssignStmt{Names: []string{name}, Exprs: []ast.Expr{value}}, p)
}

func do(p ast.PositionHolder, stmts ...ast.Stmt) ast.Stmt {
	return at(&ast.DoBlockStmt{Stmts: stmts}, p)
}

func (w *rewriter) block(in []ast.Stmt) []ast.Stmt {
	out := make([]ast.Stmt, 0, len(in))
	for i, s := range in {
		out = append(out, w.stmt(s))
		if _, ok := s.(*ast.LabelStmt); ok && beginsWithJump(in[i+1:]) {
			out = append(out, w.noop(s))
		}
	}
	return out
}

func (w *rewriter) stmt(s ast.Stmt) ast.Stmt {
	w.enter(s)
	defer w.leave()
	switch s := s.(type) {
	case *ast.AssignStmt:
		w.exprs(s.Lhs)
		w.exprs(s.Rhs)
		return w.pop(s, w.assign(s))
	case *ast.LocalAssignStmt:
		w.exprs(s.Exprs)
	case *ast.FuncCallStmt:
		s.Expr = w.expr(s.Expr)
	case *ast.DoBlockStmt:
		s.Stmts = w.block(s.Stmts)
	case *ast.WhileStmt:
		s.Condition = w.expr(s.Condition)
		s.Stmts = w.loop(s.Stmts, s)
		if v, known := truth(s.Condition); known && !v {
			return do(s)
		}
	case *ast.RepeatStmt:
		s.Stmts = w.loop(s.Stmts, s)
		s.Condition = w.expr(s.Condition)
	case *ast.IfStmt:
		return w.ifStmt(s)
	case *ast.NumberForStmt:
		s.Init, s.Limit = w.expr(s.Init), w.expr(s.Limit)
		if s.Step != nil {
			s.Step = w.expr(s.Step)
		}
		s.Stmts = w.loop(s.Stmts, s)
		return w.bounds(s)
	case *ast.GenericForStmt:
		w.exprs(s.Exprs)
		// State and control are not set to nil when fewer values are given.
		if last := s.Exprs[len(s.Exprs)-1]; !many(last) {
			for len(s.Exprs) < 3 {
				s.Exprs = append(s.Exprs, at(&ast.NilExpr{}, last))
			}
		}
		s.Stmts = w.loop(s.Stmts, s)
		if !flat(s.Exprs) {
			return w.hoist(s)
		}
	case *ast.FuncDefStmt:
		w.expr(s.Func)
	case *ast.ReturnStmt:
		w.exprs(s.Exprs)
		w.bound(s)
	}
	return s
}

// bound puts the last of the returned values, or of the arguments of a tail call, through a helper where they may be one
// more than what came in: a loop of these needs no stack and would fill the registry, in square time.
func (w *rewriter) bound(s *ast.ReturnStmt) {
	list, extra := s.Exprs, len(s.Exprs) > 1
	if call, ok := single[*ast.FuncCallExpr](s.Exprs); ok && !call.AdjustRet {
		list, extra = call.Args, len(call.Args) > 1 || call.Receiver != nil
	}
	if len(list) == 0 || !extra || !many(list[len(list)-1]) {
		return
	}
	last := list[len(list)-1]
	list[len(list)-1] = at(&ast.FuncCallExpr{Func: ident(moreName, last), Args: []ast.Expr{last}}, last)
}

// ifStmt walks a chain of elseif, each of which the parser put into the else of the one before, without going deeper.
func (w *rewriter) ifStmt(first *ast.IfStmt) ast.Stmt {
	var chain []*ast.IfStmt
	s := first
	for {
		s.Condition = w.expr(s.Condition)
		s.Then = w.block(s.Then)
		chain = append(chain, s)
		if len(chain) > maxElse {
			w.fail(s, "the if statement has more than %d elseif", maxElse)
		}
		next, ok := single[*ast.IfStmt](s.Else)
		if !ok {
			break
		}
		s = next
	}
	s.Else = w.block(s.Else)
	var out ast.Stmt
	for i := len(chain) - 1; i >= 0; i-- {
		s := chain[i]
		if out != nil {
			s.Else = []ast.Stmt{out}
		}
		out = s
		if v, known := truth(s.Condition); known && v {
			out = do(s, s.Then...)
		} else if known {
			out = do(s, s.Else...)
		}
	}
	return out
}

// single is the one element of a list, if it has one and that is a T.
func single[T, E any](in []E) (T, bool) {
	var none T
	if len(in) != 1 {
		return none, false
	}
	v, ok := any(in[0]).(T)
	return v, ok
}
