package lint

import "github.com/yuin/gopher-lua/ast"

func (c *checker) exprs(list []ast.Expr) {
	for _, e := range list {
		c.expr(e)
	}
}

func (c *checker) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		c.name(e)
	case *ast.AttrGetExpr:
		c.attribute(e)
	case *ast.FuncCallExpr:
		c.call(e)
	case *ast.FunctionExpr:
		c.body(e, nil, "")
	case *ast.TableExpr:
		c.table(e, nil)
	case *ast.LogicalOpExpr:
		c.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.RelationalOpExpr:
		c.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.StringConcatOpExpr:
		c.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.ArithmeticOpExpr:
		c.exprs([]ast.Expr{e.Lhs, e.Rhs})
	case *ast.UnaryMinusOpExpr:
		c.expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		c.expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		c.expr(e.Expr)
	}
}

func (c *checker) name(e *ast.IdentExpr) {
	if v := c.scope.find(e.Value); v != nil {
		c.unit.edges = append(c.unit.edges, edge{holder: v})
		return
	}
	c.globals = append(c.globals, globalUse{name: e.Value, line: e.Line(), nearby: c.scope.visible()})
	c.use(e.Value, e.Value, e.Line())
}

func (c *checker) attribute(e *ast.AttrGetExpr) {
	key, named := e.Key.(*ast.StringExpr)
	if !named {
		c.exprs([]ast.Expr{e.Object, e.Key})
		return
	}
	if module := c.module(e.Object); module != "" {
		if !c.words.has(module, key.Value) {
			c.report(key.Line(), key.Value, "unknown function %s.%s%s", module, key.Value,
				suggest(key.Value, c.words.members(module)))
		}
		c.use(module+"."+key.Value, key.Value, key.Line())
		if _, global := c.global(e.Object); global {
			return // the library's own name was looked at with the field: io.open is one finding, not two
		}
	}
	if table := c.qualified(e.Object); table != "" && c.module(e.Object) == "" { // flow.log.info
		if members := c.words.members(table); len(members) > 0 && c.words.Functions[table+"."+key.Value] == nil {
			c.report(key.Line(), key.Value, "unknown function %s.%s%s", table, key.Value, suggest(key.Value, members))
		}
	}
	if library, ok := c.global(e.Object); ok && outside(library) != "" {
		c.use(library+"."+key.Value, key.Value, key.Line())
		return
	}
	if v, ok := c.holder(e.Object); ok {
		c.unit.edges = append(c.unit.edges, edge{holder: v, field: key.Value})
		return
	}
	c.expr(e.Object)
}

func (c *checker) global(e ast.Expr) (string, bool) {
	name, ok := e.(*ast.IdentExpr)
	if !ok || c.scope.find(name.Value) != nil {
		return "", false
	}
	return name.Value, true
}
