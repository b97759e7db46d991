package lint

import (
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// class is the class of option tables that a declared type names; nil when the type allows other tables too.
// A union of several such classes is one that has the fields of each.
func (v *Vocabulary) class(typ string) *Class {
	var classes []*Class
	for _, part := range alternatives(typ) {
		switch {
		case part == "table" || part == "any" || part == "T" || v.element(part) != "":
			return nil
		case strings.HasPrefix(part, "{"):
			classes = append(classes, inline(part))
		case v.Classes[plain(part)] != nil:
			classes = append(classes, v.Classes[plain(part)])
		}
	}
	if len(classes) < 2 {
		if len(classes) == 0 {
			return nil
		}
		return classes[0]
	}
	union := &Class{Name: typ, Fields: map[string]string{}}
	for _, c := range classes {
		union.Parents = append(union.Parents, c.Name)
	}
	return union
}

// element is X of the type table<string, X>.
func (v *Vocabulary) element(typ string) string {
	for _, part := range alternatives(typ) {
		if inner, ok := strings.CutPrefix(part, "table<string,"); ok {
			return strings.TrimSpace(strings.TrimSuffix(inner, ">"))
		}
	}
	return ""
}

// plain takes the type arguments off a name: flow.Promise<T> is flow.Promise.
func plain(typ string) string {
	name, _, _ := strings.Cut(typ, "<")
	return name
}

// alternatives splits a union type at its top level.
func alternatives(typ string) []string {
	var parts []string
	for _, part := range split(strings.TrimSuffix(typ, "?"), '|') {
		part = strings.TrimSpace(part)
		if strings.HasPrefix(part, "(") && strings.HasSuffix(part, ")") {
			parts = append(parts, alternatives(part[1:len(part)-1])...)
			continue
		}
		parts = append(parts, strings.TrimSuffix(part, "?"))
	}
	return parts
}

// split cuts at a separator, but not inside brackets of any kind.
func split(text string, separator rune) []string {
	var parts []string
	depth, start := 0, 0
	for i, r := range text {
		switch {
		case strings.ContainsRune("({<[", r):
			depth++
		case strings.ContainsRune(")}>]", r):
			depth--
		case r == separator && depth == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// inline is the class of a type written as { name: type, … }.
func inline(typ string) *Class {
	c := &Class{Name: typ, Fields: map[string]string{}}
	for _, field := range split(strings.Trim(typ, "{} "), ',') {
		name, fieldType, _ := strings.Cut(field, ":")
		name = strings.TrimSuffix(strings.TrimSpace(name), "?")
		if strings.HasPrefix(name, "[") {
			c.Open = true
			continue
		}
		c.Fields[name] = strings.TrimSpace(fieldType)
	}
	return c
}

// typeOf is the declared class of an expression's value, "" if that is not known.
func (c *checker) typeOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IdentExpr:
		if known := c.scope.find(e.Value).known(); known != nil {
			return c.typeOf(known)
		}
	case *ast.AttrGetExpr:
		return c.words.element(c.typeOf(e.Object))
	case *ast.FuncCallExpr:
		if e.Func != nil {
			if fn := c.words.Functions[c.qualified(e.Func)]; fn != nil {
				return c.words.result(fn)
			}
			return ""
		}
		if class := c.words.Classes[c.typeOf(e.Receiver)]; class != nil {
			if fn := c.words.method(class, e.Method); fn != nil {
				return c.words.result(fn)
			}
		}
	}
	return ""
}

func (v *Vocabulary) result(fn *Function) string {
	if v.element(fn.Returns) != "" {
		return fn.Returns
	}
	return plain(strings.TrimSuffix(fn.Returns, "?"))
}
