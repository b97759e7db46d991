package lint

import "github.com/yuin/gopher-lua/ast"

// variable is one local name.
type variable struct {
	name     string
	value    ast.Expr // what it was declared with; nil if unknown
	assigned bool     // it got another value later, so value says nothing
}

// known is the expression the variable always holds, nil if that cannot be told.
func (v *variable) known() ast.Expr {
	if v == nil || v.assigned {
		return nil
	}
	return v.value
}

// scope is one block of local names.
type scope struct {
	outer *scope
	names map[string]*variable
}

func (s *scope) find(name string) *variable {
	for ; s != nil; s = s.outer {
		if v := s.names[name]; v != nil {
			return v
		}
	}
	return nil
}

// visible lists every name in reach, for suggestions.
func (s *scope) visible() []string {
	var names []string
	for ; s != nil; s = s.outer {
		for name := range s.names {
			names = append(names, name)
		}
	}
	return names
}

func (c *checker) block(stmts []ast.Stmt, names ...string) {
	c.enter(func() { c.stmts(stmts) }, names...)
}

func (c *checker) enter(body func(), names ...string) {
	c.scope = &scope{outer: c.scope, names: map[string]*variable{}}
	for _, name := range names {
		c.declare(name, nil)
	}
	body()
	c.scope = c.scope.outer
}

func (c *checker) declare(name string, value ast.Expr) *variable {
	v := &variable{name: name, value: value}
	c.scope.names[name] = v
	return v
}
