package lint

import "github.com/yuin/gopher-lua/ast"

// module is the name of the library an expression stands for: require "flow", a local that holds it, or a global library.
func (c *checker) module(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IdentExpr:
		v := c.scope.find(e.Value)
		if v == nil {
			if c.words.module(e.Value) && !c.words.required(e.Value) {
				return e.Value
			}
			return ""
		}
		if known := v.known(); known != nil {
			return c.module(known)
		}
	case *ast.FuncCallExpr:
		if name, ok := c.global(e.Func); ok && name == "require" && len(e.Args) == 1 {
			if literal, ok := e.Args[0].(*ast.StringExpr); ok && c.words.module(literal.Value) {
				return literal.Value
			}
		}
	}
	return ""
}

// function is the qualified name of the library function an expression stands for.
func (c *checker) qualified(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IdentExpr:
		v := c.scope.find(e.Value)
		if v == nil {
			return e.Value
		}
		if known, ok := v.known().(*ast.AttrGetExpr); ok {
			return c.qualified(known)
		}
	case *ast.AttrGetExpr:
		if key, ok := e.Key.(*ast.StringExpr); ok {
			if module := c.module(e.Object); module != "" {
				return module + "." + key.Value
			}
		}
	}
	return ""
}
