package lint

import (
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

func (c *checker) call(e *ast.FuncCallExpr) {
	var called *Function
	name := ""
	if e.Func != nil {
		name = c.qualified(e.Func)
		called = c.words.Functions[name]
		c.expr(e.Func)
	} else {
		called, name = c.called(e)
		if v, ok := c.holder(e.Receiver); ok {
			c.unit.edges = append(c.unit.edges, edge{holder: v, field: e.Method})
		} else {
			c.expr(e.Receiver)
		}
	}
	if called != nil {
		c.arguments(name, called, e.Args)
	}
	if name == "flow.try" {
		c.dropped(e)
	}
	if name == "flow.activity" || name == "flow.activities" {
		for _, argument := range e.Args {
			c.implementation(argument)
		}
		return
	}
	c.exprs(e.Args)
}

// called finds the declaration of object:method(…) when the object's class is known.
func (c *checker) called(e *ast.FuncCallExpr) (*Function, string) {
	class := c.words.Classes[c.typeOf(e.Receiver)]
	if class == nil {
		return nil, ""
	}
	if fn := c.words.method(class, e.Method); fn != nil {
		return fn, ":" + e.Method
	}
	if !c.words.field(class, e.Method) {
		c.report(e.Line(), e.Method, "unknown method :%s of %s%s", e.Method, class.Title(),
			suggest(e.Method, c.words.methods(class)))
	}
	return nil, ""
}

// arguments looks at the tables written in a call where its function declares a class of options.
func (c *checker) arguments(name string, fn *Function, args []ast.Expr) {
	for i, argument := range args {
		c.options(name, strings.Join(fn.types(i), "|"), argument)
	}
}

// options reports the keys of a table that its declared type does not have, also in the tables inside.
func (c *checker) options(name, typ string, value ast.Expr) {
	table, ok := value.(*ast.TableExpr)
	if !ok {
		return
	}
	if element := c.words.element(typ); element != "" { // a table of such: flow.activities
		for _, field := range table.Fields {
			c.options(name, element, field.Value)
		}
		return
	}
	class := c.words.class(typ)
	if class == nil {
		return
	}
	for _, field := range table.Fields {
		key, named := field.Key.(*ast.StringExpr)
		if !named {
			continue
		}
		if declared, ok := c.words.fieldType(class, key.Value); ok {
			c.options(name, declared, field.Value)
			continue
		}
		c.report(key.Line(), key.Value, "unknown option '%s' of %s%s", key.Value, name, suggest(key.Value, c.words.fields(class)))
	}
}

// implementation walks an argument of flow.activity: the functions in it run outside the workflow.
func (c *checker) implementation(e ast.Expr) {
	switch e := e.(type) {
	case *ast.FunctionExpr:
		c.bodyIn(e, nil, "", inActivity)
	case *ast.TableExpr:
		for _, field := range e.Fields {
			c.implementation(field.Value)
		}
	case *ast.IdentExpr:
		if v, ok := c.holder(e); ok {
			c.unit.edges = append(c.unit.edges, edge{holder: v, world: inActivity})
			return
		}
		c.expr(e)
	case *ast.AttrGetExpr:
		key, named := e.Key.(*ast.StringExpr)
		if v, ok := c.holder(e.Object); ok && named {
			c.unit.edges = append(c.unit.edges, edge{holder: v, field: key.Value, world: inActivity})
			return
		}
		c.expr(e)
	default:
		if e != nil {
			c.expr(e)
		}
	}
}
