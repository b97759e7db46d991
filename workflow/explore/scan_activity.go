package explore

import (
	"reflect"

	"github.com/yuin/gopher-lua/ast"
)

// activity reads flow.activity("name", …, function) on its own: that runs outside, and only what it returns and raises is of use.
func (s *script) activity(n *ast.FuncCallExpr) bool {
	get, is := n.Func.(*ast.AttrGetExpr)
	if !is || nameOf(get) != "activity" || nameOf(get.Object) != "flow" || len(n.Args) < 2 {
		return false
	}
	name, named := n.Args[0].(*ast.StringExpr)
	fn, implemented := n.Args[len(n.Args)-1].(*ast.FunctionExpr)
	if !named || !implemented {
		return false
	}
	s.within = name.Value
	s.walk(fn.Stmts)
	s.within = ""
	s.returns[name.Value] = none
	s.returned(name.Value, reflect.ValueOf(fn.Stmts))
	for _, option := range n.Args[1 : len(n.Args)-1] {
		s.walk(option)
	}
	return true
}

// returned finds what shape the results of a function have.
func (s *script) returned(name string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		s.returned(name, v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			s.returned(name, v.Index(i))
		}
	case reflect.Pointer:
		switch n := v.Interface().(type) {
		case *ast.FunctionExpr:
			return
		case *ast.ReturnStmt:
			if sh, known := shapeOf(first(n.Exprs)); known {
				s.returns[name] = sh
			} else if s.returns[name] == none {
				delete(s.returns, name)
			}
			if table, is := first(n.Exprs).(*ast.TableExpr); is {
				for _, f := range table.Fields {
					if key, is := f.Key.(*ast.StringExpr); is {
						s.seen[key.Value] = true
						s.kind(key.Value, f.Value)
					}
				}
			}
			return
		}
		if !v.IsNil() {
			s.returned(name, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				s.returned(name, v.Field(i))
			}
		}
	}
}

// kind notes what a field of a result is.
func (s *script) kind(name string, e ast.Expr) {
	u := passed
	switch e.(type) {
	case *ast.TrueExpr, *ast.FalseExpr:
		u = tested
	case *ast.NumberExpr, *ast.ArithmeticOpExpr:
		u = numbered
	case *ast.StringExpr, *ast.StringConcatOpExpr:
		u = texted
	}
	s.uses[name] = max(s.uses[name], u)
}

func shapeOf(e ast.Expr) (shape, bool) {
	switch e := e.(type) {
	case *ast.TrueExpr, *ast.FalseExpr, *ast.RelationalOpExpr, *ast.UnaryNotOpExpr:
		return yes, true
	case *ast.NumberExpr, *ast.ArithmeticOpExpr:
		return number, true
	case *ast.StringExpr, *ast.StringConcatOpExpr:
		return text, true
	case *ast.TableExpr:
		if len(e.Fields) > 0 && e.Fields[0].Key == nil {
			return records, true
		}
		return record, true
	}
	return record, false
}

func first(list []ast.Expr) ast.Expr {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}
