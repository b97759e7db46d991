package vm

import (
	"math"
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

func (w *rewriter) exprs(es []ast.Expr) {
	for i, e := range es {
		es[i] = w.expr(e)
	}
}

// expr rewrites an expression one level further in.
func (w *rewriter) expr(e ast.Expr) ast.Expr {
	w.enter(e)
	spine := w.spine
	w.spine = 0
	out := w.rewriteExpr(e)
	w.spine = spine
	w.leave()
	return out
}

// left rewrites the left side of an operator, call or field: on the same level, as a+b+c has no limit in Lua.
func (w *rewriter) left(e ast.Expr) ast.Expr {
	w.spine++
	if w.spine > maxSpine {
		w.fail(e, "expression has more than %d operators in a row", maxSpine)
	}
	out := w.rewriteExpr(e)
	w.spine--
	return out
}

func (w *rewriter) rewriteExpr(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.NumberExpr:
		w.number(e)
	case *ast.AttrGetExpr:
		e.Object = w.left(e.Object)
		e.Key = w.expr(e.Key)
	case *ast.TableExpr:
		return w.table(e)
	case *ast.FuncCallExpr:
		if e.Func != nil {
			e.Func = w.left(e.Func)
		}
		if e.Receiver != nil {
			e.Receiver = w.left(e.Receiver)
		}
		w.exprs(e.Args)
	case *ast.LogicalOpExpr:
		e.Lhs = w.left(e.Lhs)
		e.Rhs = w.expr(e.Rhs)
		if v, known := truth(e.Lhs); known {
			if (e.Operator == "and") == v {
				return one(e.Rhs)
			}
			return e.Lhs
		}
	case *ast.RelationalOpExpr:
		e.Lhs, e.Rhs = w.left(e.Lhs), w.expr(e.Rhs)
	case *ast.ArithmeticOpExpr:
		e.Lhs, e.Rhs = w.left(e.Lhs), w.expr(e.Rhs)
		return arithmeticCall(e)
	case *ast.StringConcatOpExpr:
		return w.concat(e)
	case *ast.UnaryMinusOpExpr:
		e.Expr = w.expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		e.Expr = w.expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		e.Expr = w.expr(e.Expr)
		if v, known := truth(e.Expr); known {
			if v {
				return at(&ast.FalseExpr{}, e)
			}
			return at(&ast.TrueExpr{}, e)
		}
	case *ast.FunctionExpr:
		w.vararg = append(w.vararg, e.ParList.HasVargs)
		e.Stmts = w.block(e.Stmts)
		w.vararg = w.vararg[:len(w.vararg)-1]
	}
	return e
}

// number writes a literal so that the code generator reads what Lua reads: 0010 is not octal.
func (w *rewriter) number(e *ast.NumberExpr) {
	f, ok := ParseNumber(e.Value)
	if !ok {
		w.fail(e, "malformed number near '%s'", e.Value)
	}
	if math.IsInf(f, 1) {
		e.Value = "inf"
		return
	}
	e.Value = strconv.FormatFloat(f, 'g', -1, 64)
}

// arithmeticCall makes % and ^ calls of helpers where gopher-lua may compute something else than C: when it is compiled, for
// constants, and for all if its own loop is used.
func arithmeticCall(e *ast.ArithmeticOpExpr) ast.Expr {
	helper := ""
	switch e.Operator {
	case "%":
		helper = modName
	case "^":
		helper = powName
	}
	n, literal := e.Rhs.(*ast.NumberExpr)
	if helper == "" || literal && exact(e.Operator, n.Value) || threadLayout() != nil && !(folded(e.Lhs) && folded(e.Rhs)) {
		return e
	}
	return at(&ast.FuncCallExpr{Func: ident(helper, e), Args: []ast.Expr{one(e.Lhs), one(e.Rhs)}, AdjustRet: true}, e)
}

// folded says whether gopher-lua computes an expression when it compiles it.
func folded(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.NumberExpr:
		return true
	case *ast.UnaryMinusOpExpr:
		return folded(e.Expr)
	case *ast.ArithmeticOpExpr:
		return folded(e.Lhs) && folded(e.Rhs)
	}
	return false
}

// exact says whether gopher-lua's instruction is right for every left side: remainders of powers of two, and squares.
func exact(operator, right string) bool {
	f, err := strconv.ParseFloat(right, 64)
	if err != nil || f <= 0 || f > 1<<52 {
		return false
	}
	fraction, _ := math.Frexp(f)
	return operator == "%" && fraction == 0.5 && f >= 1 || operator == "^" && f == 2
}

// concatArgs is how many values one call of the helper takes: they need registers, of which a function has 200.
const concatArgs = 40

// concat makes a..b..c a call of the helper. The operator takes the right side first, so the chain is in Rhs.
func (w *rewriter) concat(e *ast.StringConcatOpExpr) ast.Expr {
	var operands []ast.Expr
	operands = append(operands, e.Lhs)
	var last ast.Expr = e.Rhs
	for {
		next, ok := last.(*ast.StringConcatOpExpr)
		if !ok {
			break
		}
		operands, last = append(operands, next.Lhs), next.Rhs
	}
	operands = append(operands, last)
	if len(operands) > maxSpine {
		w.fail(e, "expression has more than %d operators in a row", maxSpine)
	}
	for i, operand := range operands {
		operands[i] = one(w.expr(operand))
	}
	for {
		first := max(0, len(operands)-concatArgs)
		args := append([]ast.Expr(nil), operands[first:]...)
		call := at(&ast.FuncCallExpr{Func: ident(concatName, e), Args: args, AdjustRet: true}, e)
		if first == 0 {
			return call
		}
		operands = append(operands[:first:first], call)
	}
}

// truth says whether a literal is true; known is false for anything that is not a literal.
func truth(e ast.Expr) (v, known bool) {
	switch e.(type) {
	case *ast.TrueExpr, *ast.NumberExpr, *ast.StringExpr:
		return true, true
	case *ast.FalseExpr, *ast.NilExpr:
		return false, true
	}
	return false, false
}

// one keeps an expression to a single value where it would now give all of them.
func one(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
	return e
}

// many says whether an expression in last place may give more than one value.
func many(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		return !e.AdjustRet
	case *ast.Comma3Expr:
		return !e.AdjustRet
	}
	return false
}
