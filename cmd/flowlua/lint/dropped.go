package lint

import "github.com/yuin/gopher-lua/ast"

// dropped reports activities and children that catch or finally starts, does not await, and drops by an error further down.
func (c *checker) dropped(try *ast.FuncCallExpr) {
	for _, argument := range try.Args {
		table, _ := argument.(*ast.TableExpr)
		if table == nil {
			continue
		}
		for _, field := range table.Fields {
			key, _ := field.Key.(*ast.StringExpr)
			fn, isFunction := field.Value.(*ast.FunctionExpr)
			if isFunction && key != nil && (key.Value == "catch" || key.Value == "finally") {
				c.droppedIn(fn, key.Value)
			}
		}
	}
}

func (c *checker) droppedIn(fn *ast.FunctionExpr, phase string) {
	var begun []*ast.IdentExpr
	for _, s := range fn.Stmts {
		statement, _ := s.(*ast.FuncCallStmt)
		if statement == nil {
			continue
		}
		call, _ := statement.Expr.(*ast.FuncCallExpr)
		name, _ := call.Func.(*ast.IdentExpr)
		switch {
		case name == nil:
			begun = nil // a method, such as await: it may wait for what was begun
		case name.Value == "error" && c.scope.find("error") == nil:
			for _, stub := range begun {
				c.report(stub.Line(), stub.Value, "'%s' is not awaited, and the error in line %d ends %s before it begins: %s(…):await()",
					stub.Value, name.Line(), phase, stub.Value)
			}
			return
		case c.isStub(name):
			begun = append(begun, name)
		}
	}
}

// isStub reports whether a local holds what flow.activity or flow.workflow has made.
func (c *checker) isStub(name *ast.IdentExpr) bool {
	v := c.scope.find(name.Value)
	if v == nil || v.assigned {
		return false
	}
	call, _ := v.value.(*ast.FuncCallExpr)
	if call == nil || call.Func == nil {
		return false
	}
	made := c.qualified(call.Func)
	return made == "flow.activity" || made == "flow.workflow"
}
