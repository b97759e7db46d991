package syntax

import "github.com/yuin/gopher-lua/ast"

func (p *parser) statement() ast.Stmt {
	line := p.now.line
	switch p.now.kind {
	case "if":
		return p.ifStatement(line)
	case "while":
		p.next()
		s := &ast.WhileStmt{Condition: p.value()}
		p.expect("do")
		s.Stmts = p.loop()
		s.SetLine(line)
		s.SetLastLine(p.now.line)
		p.close("end", "while", line)
		return s
	case "do":
		p.next()
		s := &ast.DoBlockStmt{Stmts: p.block()}
		s.SetLine(line)
		s.SetLastLine(p.now.line)
		p.close("end", "do", line)
		return s
	case "for":
		return p.forStatement(line)
	case "repeat":
		p.next()
		s := &ast.RepeatStmt{Stmts: p.loop()}
		p.close("until", "repeat", line)
		s.Condition = p.value()
		s.SetLine(line)
		s.SetLastLine(p.lastLine)
		return s
	case "function":
		return p.functionStatement(line)
	case "local":
		p.next()
		if p.accept("function") {
			n := p.name()
			p.declare(1)
			return at(&ast.LocalAssignStmt{Names: []string{n}, Exprs: []ast.Expr{p.function(p.now.line)}}, line)
		}
		return p.localStatement(line)
	case "::":
		p.next()
		p.countLabel()
		s := at(&ast.LabelStmt{Name: p.name()}, line)
		p.expect("::")
		return s
	case name:
		if p.now.value == "goto" && p.peek() == name {
			p.next()
			return at(&ast.GotoStmt{Label: p.name()}, line)
		}
	}
	return p.expressionStatement()
}

func (p *parser) loop() []ast.Stmt {
	p.scope.loops++
	defer func() { p.scope.loops-- }()
	return p.block()
}

func (p *parser) ifStatement(line int) ast.Stmt {
	first := &ast.IfStmt{}
	s := first
	for from := line; ; from = p.now.line {
		p.next()
		s.Condition = p.value()
		s.SetLine(from)
		p.expect("then")
		s.Then = p.block()
		if p.now.kind != "elseif" {
			break
		}
		next := &ast.IfStmt{}
		s.Else = []ast.Stmt{next}
		s.SetLastLine(p.now.line)
		s = next
	}
	if p.accept("else") {
		s.Else = p.block()
	}
	s.SetLastLine(p.now.line)
	first.SetLastLine(p.now.line)
	p.close("end", "if", line)
	return first
}

func (p *parser) forStatement(line int) ast.Stmt {
	p.next()
	first := p.name()
	switch p.now.kind {
	case "=":
		p.next()
		s := &ast.NumberForStmt{Name: first, Init: p.value()}
		p.expect(",")
		s.Limit = p.value()
		if p.accept(",") {
			s.Step = p.value()
		}
		s.SetLine(p.now.line) // Lua looks at the values behind `do`
		p.expect("do")
		s.Stmts = p.loop()
		s.SetLastLine(p.now.line)
		p.close("end", "for", line)
		return s
	case ",", "in":
		s := &ast.GenericForStmt{Names: []string{first}}
		for p.accept(",") {
			s.Names = append(s.Names, p.name())
		}
		p.expect("in")
		s.SetLine(p.now.line) // where Lua says that the iterator is called
		s.Exprs = p.list()
		p.expect("do")
		s.Stmts = p.loop()
		s.SetLastLine(p.now.line)
		p.close("end", "for", line)
		return s
	}
	p.syntaxError("'=' or 'in' expected")
	return nil
}

func (p *parser) functionStatement(line int) ast.Stmt {
	p.next()
	var target ast.Expr = p.variable()
	s := &ast.FuncDefStmt{Name: &ast.FuncName{Func: target}}
	for p.now.kind == "." || p.now.kind == ":" {
		method := p.now.kind == ":"
		p.next()
		keyLine := p.now.line
		key := p.name()
		if method {
			s.Name = &ast.FuncName{Receiver: target, Method: key}
			break
		}
		target = at(&ast.AttrGetExpr{Object: target, Key: at(&ast.StringExpr{Value: key}, keyLine)}, line)
		s.Name.Func = target
	}
	s.Func = p.function(line)
	return at(s, line)
}

func (p *parser) localStatement(line int) ast.Stmt {
	s := &ast.LocalAssignStmt{Names: []string{p.name()}}
	for p.accept(",") {
		s.Names = append(s.Names, p.name())
		if len(s.Names) > maxLocals {
			p.declare(len(s.Names))
		}
	}
	if p.accept("=") {
		before := p.used[s.Names[0]]
		s.Exprs = p.list()
		// The code generator takes a function alone for `local function`, which can see its own name.
		if _, ok := s.Exprs[0].(*ast.FunctionExpr); ok && len(s.Exprs) == 1 && p.used[s.Names[0]] > before {
			s.Exprs = append(s.Exprs, at(&ast.NilExpr{}, p.lastLine))
		}
	}
	p.declare(len(s.Names))
	return at(s, line)
}

// expressionStatement reads a call or an assignment.
func (p *parser) expressionStatement() ast.Stmt {
	first := p.suffixed()
	if call, ok := first.Expr.(*ast.FuncCallExpr); ok && !first.closed {
		return at(&ast.FuncCallStmt{Expr: call}, call.Line())
	}
	s := &ast.AssignStmt{}
	for e := first; ; e = p.suffixed() {
		if !e.assignable() {
			p.syntaxError("syntax error")
		}
		s.Lhs = append(s.Lhs, e.Expr)
		if !p.accept(",") {
			break
		}
	}
	if p.now.kind == end {
		panic(&Error{Line: p.now.line, Column: p.now.column, Near: string(end), Message: "'=' expected"})
	}
	p.expect("=")
	s.Rhs = p.list()
	for _, e := range s.Lhs { // the stores come last
		e.SetLine(p.lastLine)
	}
	return at(s, p.lastLine)
}
