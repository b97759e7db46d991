package lint

import "github.com/yuin/gopher-lua/ast"

func (c *checker) chunk(stmts []ast.Stmt) {
	c.main = &unit{worlds: inWorkflow}
	c.unit = c.main
	c.units = append(c.units, c.main)
	c.assigned = map[string]bool{}
	c.block(stmts)
}

func (c *checker) stmts(stmts []ast.Stmt) {
	for _, s := range stmts {
		c.stmt(s)
	}
}

func (c *checker) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.LocalAssignStmt:
		c.local(s)
	case *ast.AssignStmt:
		c.assignment(s)
	case *ast.FuncDefStmt:
		c.function(s)
	case *ast.FuncCallStmt:
		c.expr(s.Expr)
	case *ast.DoBlockStmt:
		c.block(s.Stmts)
	case *ast.WhileStmt:
		c.expr(s.Condition)
		c.block(s.Stmts)
	case *ast.RepeatStmt: // the condition sees the block's locals
		c.enter(func() { c.stmts(s.Stmts); c.expr(s.Condition) })
	case *ast.IfStmt:
		c.expr(s.Condition)
		c.block(s.Then)
		c.block(s.Else)
	case *ast.NumberForStmt:
		c.exprs([]ast.Expr{s.Init, s.Limit, s.Step})
		c.block(s.Stmts, s.Name)
	case *ast.GenericForStmt:
		c.exprs(s.Exprs)
		c.block(s.Stmts, s.Names...)
	case *ast.ReturnStmt:
		for _, value := range s.Exprs {
			if !c.export(value) {
				c.expr(value)
			}
		}
	}
}

// at is the value that the i-th of n targets gets, nil when a call or "..." spreads over several.
func at(values []ast.Expr, i, n int) ast.Expr {
	if i >= len(values) || n > len(values) && i == len(values)-1 {
		return nil
	}
	return values[i]
}

func (c *checker) local(s *ast.LocalAssignStmt) {
	fn, isFunction := at(s.Exprs, 0, len(s.Names)).(*ast.FunctionExpr)
	if isFunction && len(s.Names) == 1 {
		// "local function f" sees itself; for "local f = function" it does no harm to say so too.
		v := c.declare(s.Names[0], fn)
		c.body(fn, v, "")
		return
	}
	declared := make([]*variable, len(s.Names))
	for i, name := range s.Names {
		declared[i] = &variable{name: name, value: at(s.Exprs, i, len(s.Names))}
	}
	for i, value := range s.Exprs {
		if table, ok := value.(*ast.TableExpr); ok && i < len(declared) {
			c.table(table, declared[i])
			continue
		}
		c.expr(value)
	}
	for _, v := range declared {
		c.scope.names[v.name] = v
	}
}

// table walks a table constructor; the functions in one that a local holds run where their field is mentioned.
func (c *checker) table(e *ast.TableExpr, holder *variable) {
	for _, field := range e.Fields {
		c.expr(field.Key)
		fn, isFunction := field.Value.(*ast.FunctionExpr)
		key, named := field.Key.(*ast.StringExpr)
		if holder != nil && isFunction && named {
			c.body(fn, holder, key.Value)
			continue
		}
		c.expr(field.Value)
	}
}

func (c *checker) assign(target, value ast.Expr) {
	switch target := target.(type) {
	case *ast.IdentExpr:
		if v := c.scope.find(target.Value); v != nil {
			v.assigned = v.assigned || v.value != nil || value == nil
			v.value = value // "local f; f = function" declares in two steps
			return
		}
		c.assigned[target.Value] = true
		c.globals = append(c.globals, globalUse{name: target.Value, line: target.Line(), assign: true})
	case *ast.AttrGetExpr:
		if _, ok := c.holder(target.Object); !ok {
			c.expr(target.Object)
		}
		c.expr(target.Key)
	}
}

func (c *checker) assignment(s *ast.AssignStmt) {
	for i, value := range s.Rhs {
		fn, isFunction := value.(*ast.FunctionExpr)
		if isFunction && i < len(s.Lhs) {
			holder, field := c.target(s.Lhs[i])
			c.body(fn, holder, field)
			continue
		}
		c.expr(value)
	}
	for i, target := range s.Lhs {
		c.assign(target, at(s.Rhs, i, len(s.Lhs)))
	}
}

// target is the local, or the named field of a local table, that an assignment sets.
func (c *checker) target(e ast.Expr) (holder *variable, field string) {
	if access, ok := e.(*ast.AttrGetExpr); ok {
		key, named := access.Key.(*ast.StringExpr)
		if holder, ok := c.holder(access.Object); ok && named {
			return holder, key.Value
		}
		return nil, ""
	}
	holder, _ = c.holder(e)
	return holder, ""
}

func (c *checker) function(s *ast.FuncDefStmt) {
	name := s.Name
	if name.Func == nil { // function object:method()
		holder, ok := c.holder(name.Receiver)
		if !ok {
			c.expr(name.Receiver)
		}
		c.method(s.Func, holder, name.Method)
		return
	}
	holder, field := c.target(name.Func)
	if global, ok := c.global(name.Func); ok {
		c.assigned[global] = true
		c.globals = append(c.globals, globalUse{name: global, line: name.Func.Line(), assign: true, defines: true})
	} else {
		c.assign(name.Func, s.Func)
	}
	c.body(s.Func, holder, field)
}

// holder is the local table that an expression names.
func (c *checker) holder(e ast.Expr) (*variable, bool) {
	if name, ok := e.(*ast.IdentExpr); ok {
		if v := c.scope.find(name.Value); v != nil {
			return v, true
		}
	}
	return nil, false
}

func (c *checker) method(fn *ast.FunctionExpr, holder *variable, name string) {
	fn = &ast.FunctionExpr{ParList: &ast.ParList{Names: append([]string{"self"}, fn.ParList.Names...), HasVargs: fn.ParList.HasVargs}, Stmts: fn.Stmts}
	c.body(fn, holder, name)
}

// body walks a function. Stored in a local (or a field of one) it runs where it is mentioned, otherwise where it is written.
func (c *checker) body(fn *ast.FunctionExpr, holder *variable, field string) {
	c.bodyIn(fn, holder, field, 0)
}

func (c *checker) bodyIn(fn *ast.FunctionExpr, holder *variable, field string, w world) {
	u := &unit{holder: holder, field: field}
	c.units = append(c.units, u)
	if holder == nil {
		c.unit.edges = append(c.unit.edges, edge{inner: u, world: w})
	}
	outer := c.unit
	c.unit = u
	c.block(fn.Stmts, fn.ParList.Names...)
	c.unit = outer
}

// export marks what a module returns: its callers are in other files.
func (c *checker) export(value ast.Expr) bool {
	if c.unit != c.main {
		return false
	}
	v, ok := c.holder(value)
	return ok && v.known() != nil
}
