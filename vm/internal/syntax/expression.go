package syntax

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// operand is an expression that is being read. Lua makes the instruction for a variable or a field late, when it knows
// what the value is for, and gives it the line of the token it read last.
type operand struct {
	ast.Expr
	late   bool // its instruction is still to be made
	closed bool // in parentheses
}

func (o operand) assignable() bool { return o.late && !o.closed }

// make says that the instruction for an operand is made here.
func (p *parser) make(o operand) ast.Expr {
	if o.late {
		o.SetLine(p.lastLine)
	}
	return o.Expr
}

// value reads an expression.
func (p *parser) value() ast.Expr { return p.make(p.expression(0)) }

// list reads expressions with commas between them.
func (p *parser) list() []ast.Expr {
	var out []ast.Expr
	for {
		e := p.expression(0)
		more := p.accept(",")
		out = append(out, p.make(e))
		if !more {
			return out
		}
	}
}

// expression reads one up to an operator that does not bind stronger than limit.
func (p *parser) expression(limit int) operand {
	p.enter()
	defer p.leave()
	left := p.unary()
	for links := 0; ; p.link(&links) {
		op := p.now.kind
		b, ok := binary[op]
		if !ok || b.left <= limit {
			return left
		}
		p.next()
		l := p.make(left)
		if op == ".." {
			left = operand{Expr: p.concat(l)}
			continue
		}
		left = operand{Expr: p.operation(op, l, p.make(p.expression(b.right)))}
	}
}

// concat reads the operands of a chain of `..` one after the other: it is right associative and may be long.
func (p *parser) concat(first ast.Expr) ast.Expr {
	operands := []ast.Expr{first}
	for links := 0; ; p.link(&links) {
		e := p.expression(binary[".."].left)
		more := p.accept("..")
		operands = append(operands, p.make(e))
		if len(operands) > p.maxDepth { // as many would be inside each other
			panic(&Error{Line: p.now.line, Column: p.now.column, Message: fmt.Sprintf(tooDeep, p.maxDepth)})
		}
		if !more {
			break
		}
	}
	out := operands[len(operands)-1]
	for i := len(operands) - 2; i >= 0; i-- {
		out = at(&ast.StringConcatOpExpr{Lhs: operands[i], Rhs: out}, p.lastLine)
	}
	return out
}

func (p *parser) operation(op kind, l, r ast.Expr) ast.Expr {
	switch op {
	case "and", "or":
		return at(&ast.LogicalOpExpr{Operator: string(op), Lhs: l, Rhs: r}, p.lastLine)
	case "==", "~=", "<", "<=", ">", ">=":
		return at(&ast.RelationalOpExpr{Operator: string(op), Lhs: l, Rhs: r}, p.lastLine)
	}
	return at(&ast.ArithmeticOpExpr{Operator: string(op), Lhs: l, Rhs: r}, p.lastLine)
}

func (p *parser) unary() operand {
	switch p.now.kind {
	case "not":
		p.next()
		e := p.make(p.expression(unaryPriority))
		return operand{Expr: at(&ast.UnaryNotOpExpr{Expr: e}, p.lastLine)}
	case "-":
		p.next()
		e := p.make(p.expression(unaryPriority))
		return operand{Expr: at(&ast.UnaryMinusOpExpr{Expr: e}, p.lastLine)}
	case "#":
		p.next()
		e := p.make(p.expression(unaryPriority))
		return operand{Expr: at(&ast.UnaryLenOpExpr{Expr: e}, p.lastLine)}
	}
	return p.simple()
}

func (p *parser) simple() operand {
	line := p.now.line
	var e ast.Expr
	switch p.now.kind {
	case number:
		e = &ast.NumberExpr{Value: p.now.value}
	case text:
		e = &ast.StringExpr{Value: p.now.value}
	case "nil":
		e = &ast.NilExpr{}
	case "true":
		e = &ast.TrueExpr{}
	case "false":
		e = &ast.FalseExpr{}
	case "...":
		if !p.scope.vararg {
			p.syntaxError("cannot use '...' outside a vararg function")
		}
		p.scope.dots = true
		e = &ast.Comma3Expr{}
	case "{":
		return operand{Expr: p.table()}
	case "function":
		p.next()
		return operand{Expr: p.function(p.now.line)}
	default:
		return p.suffixed()
	}
	p.next()
	return operand{Expr: at(e, line)}
}

func (p *parser) variable() *ast.IdentExpr {
	line := p.now.line
	n := p.name()
	p.used[n]++
	return at(&ast.IdentExpr{Value: n}, line)
}

func (p *parser) primary() operand {
	switch p.now.kind {
	case name:
		return operand{Expr: p.variable(), late: true}
	case "(":
		line := p.now.line
		p.next()
		o := p.expression(0)
		p.close(")", "(", line)
		e := p.make(o)
		switch e := e.(type) {
		case *ast.FuncCallExpr:
			e.AdjustRet = true
		case *ast.Comma3Expr:
			e.AdjustRet = true
		}
		return operand{Expr: e, closed: true}
	}
	p.syntaxError("unexpected symbol")
	return operand{}
}

// suffixed reads a variable or a parenthesis with fields, indexes and calls behind it.
func (p *parser) suffixed() operand {
	o := p.primary()
	for links := 0; ; p.link(&links) {
		switch p.now.kind {
		case ".":
			object := p.make(o)
			p.next()
			line := p.now.line
			key := at(&ast.StringExpr{Value: p.name()}, line)
			o = operand{Expr: at(&ast.AttrGetExpr{Object: object, Key: key}, line), late: true}
		case "[":
			object := p.make(o)
			p.next()
			key := p.value()
			p.expect("]")
			o = operand{Expr: at(&ast.AttrGetExpr{Object: object, Key: key}, p.lastLine), late: true}
		case ":":
			object := p.make(o)
			p.next()
			call := &ast.FuncCallExpr{Receiver: object, Method: p.name()}
			p.arguments(call)
			o = operand{Expr: call}
		case "(", text, "{":
			call := &ast.FuncCallExpr{Func: p.make(o)}
			p.arguments(call)
			o = operand{Expr: call}
		default:
			return o
		}
	}
}

func (p *parser) arguments(call *ast.FuncCallExpr) {
	line := p.now.line
	at(call, line)
	p.countCode(2)
	switch p.now.kind {
	case text:
		call.Args = []ast.Expr{at(&ast.StringExpr{Value: p.now.value}, line)}
		p.next()
	case "{":
		call.Args = []ast.Expr{p.table()}
	case "(":
		if line != p.lastLine {
			p.syntaxError("ambiguous syntax (function call x new statement)")
		}
		p.next()
		if p.accept(")") {
			return
		}
		for {
			e := p.expression(0)
			more := p.accept(",")
			if !more {
				p.close(")", "(", line)
			}
			call.Args = append(call.Args, p.make(e))
			if !more {
				return
			}
		}
	default:
		p.syntaxError("function arguments expected")
	}
}

func (p *parser) table() ast.Expr {
	line := p.now.line
	p.next()
	t := at(&ast.TableExpr{}, line)
	var item *ast.Field // the last list item, of which the value is still to be made
	var late operand
	flush := func() {
		if item != nil {
			item.Value, item = p.make(late), nil
		}
	}
	for p.now.kind != "}" {
		flush()
		f := &ast.Field{}
		switch {
		case p.now.kind == name && p.peek() == "=":
			f.Key = at(&ast.StringExpr{Value: p.now.value}, p.now.line)
			p.next()
			p.next()
			f.Value = p.value()
		case p.now.kind == "[":
			p.next()
			f.Key = p.value()
			p.expect("]")
			p.expect("=")
			f.Value = p.value()
		default:
			late, item = p.expression(0), f
		}
		t.Fields = append(t.Fields, f)
		p.countCode(1)
		if !p.accept(",") && !p.accept(";") {
			break
		}
	}
	p.close("}", "{", line)
	flush()
	return t
}

// function reads parameters and body; the keyword and the name are behind.
func (p *parser) function(line int) *ast.FunctionExpr {
	p.countFunction()
	p.scope = &scope{outer: p.scope, line: line}
	f := &ast.FunctionExpr{ParList: &ast.ParList{}}
	p.expect("(")
	for p.now.kind != ")" {
		if p.accept("...") {
			f.ParList.HasVargs = true
			break
		}
		if p.now.kind != name {
			p.syntaxError("<name> or '...' expected")
		}
		f.ParList.Names = append(f.ParList.Names, p.name())
		if !p.accept(",") {
			break
		}
		if p.now.kind == ")" {
			p.syntaxError("<name> or '...' expected")
		}
	}
	p.scope.vararg = f.ParList.HasVargs
	p.declare(len(f.ParList.Names))
	p.expect(")")
	before := p.used["arg"]
	f.Stmts = p.block()
	if f.ParList.HasVargs && p.used["arg"] > before {
		f.Stmts = append([]ast.Stmt{p.arg(line)}, f.Stmts...)
	}
	f.SetLine(line)
	f.SetLastLine(p.now.line)
	p.close("end", "function", line)
	p.scope = p.scope.outer
	return f
}

// arg is the local variable that a function with "..." has in Lua 5.1: a table of the arguments, or nil if it says "..." itself.
func (p *parser) arg(line int) ast.Stmt {
	var value ast.Expr = at(&ast.NilExpr{}, line)
	if !p.scope.dots {
		pack := at(&ast.IdentExpr{Value: PackName}, line)
		value = at(&ast.FuncCallExpr{Func: pack, Args: []ast.Expr{at(&ast.Comma3Expr{}, line)}, AdjustRet: true}, line)
	}
	return at(&ast.LocalAssignStmt{Names: []string{"arg"}, Exprs: []ast.Expr{value}}, line)
}
