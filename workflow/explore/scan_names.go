package explore

import (
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// nameOf is the name of a variable or a field, or of what is called, with (): x() of x(…) and of x(…):await().
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		if e.Receiver == nil {
			if name := nameOf(e.Func); name != "" {
				return strings.TrimSuffix(name, "()") + "()"
			}
		} else if e.Method == "await" {
			return nameOf(e.Receiver)
		}
	case *ast.IdentExpr:
		return e.Value
	case *ast.AttrGetExpr:
		if key, is := e.Key.(*ast.StringExpr); is {
			return key.Value
		}
	}
	return ""
}

func (s *script) library(e ast.Expr) bool {
	id, is := e.(*ast.IdentExpr)
	return is && s.ignored[id.Value]
}

func (s *script) note(e ast.Expr, u use) {
	if name := nameOf(e); name != "" {
		s.uses[name] = max(s.uses[name], u)
	}
}

// assigned follows a value to the variable that gets it.
func (s *script) assigned(name string, e ast.Expr) {
	if fn, is := e.(*ast.FunctionExpr); is {
		s.params[name] = fn.ParList.Names
		return
	}
	call, is := e.(*ast.FuncCallExpr)
	if is && call.Receiver == nil && nameOf(call.Func) == "activity" {
		if text, named := first(call.Args).(*ast.StringExpr); named {
			s.stubs[name] = text.Value
			return
		}
	}
	if source := nameOf(e); source != "" && source != name && s.sources[name] == "" {
		s.sources[name] = source
	}
}

// field notes that a field is read of what has a name.
func (s *script) field(of, name string) {
	if of == "" {
		return
	}
	if s.of[of] == nil {
		s.of[of] = map[string]bool{}
	}
	s.of[of][name] = true
}

// items notes the name that the items of a list have.
func (s *script) items(name string, list ast.Expr) {
	if of := nameOf(list); of != "" && s.sources[name] == "" {
		s.sources[name] = of + "[]"
	}
}

// settle gives what is known of variables to what they were given.
func (s *script) settle() {
	for range 4 { // a value goes through few hands
		for name, source := range s.sources {
			if u := s.uses[name]; u > s.uses[source] {
				s.uses[source] = u
			}
			for field := range s.of[name] {
				s.field(source, field)
			}
			for field := range s.of[name+"[]"] {
				s.field(source+"[]", field)
			}
			if u := s.uses[name+"[]"]; u > s.uses[source+"[]"] {
				s.uses[source+"[]"] = u
			}
		}
	}
	for variable, activity := range s.stubs {
		for _, end := range []string{"()", "()[]"} {
			s.uses[activity+end] = max(s.uses[activity+end], s.uses[variable+end])
		}
	}
}

// shape is that of what has a name.
func (s *script) shape(name string) shape {
	u := s.uses[name]
	if u == listed {
		switch s.uses[name+"[]"] {
		case numbered:
			return numbers
		case texted:
			return texts
		}
	}
	return u.shape()
}

// shape is that of a value that is used so.
func (u use) shape() shape {
	switch u {
	case texted:
		return text
	case numbered:
		return number
	case listed:
		return records
	}
	return record
}

// workflow notes what the input is called.
func (s *script) workflow(n *ast.FuncCallExpr) {
	get, is := n.Func.(*ast.AttrGetExpr)
	if !is || nameOf(get.Object) != "flow" || nameOf(get) != "workflow" || len(n.Args) == 0 {
		return
	}
	if fn, is := n.Args[len(n.Args)-1].(*ast.FunctionExpr); is && len(fn.ParList.Names) > 0 {
		s.inputs = append(s.inputs, fn.ParList.Names[0])
		if text, is := n.Args[0].(*ast.StringExpr); is {
			s.takes[text.Value] = fn.ParList.Names
		}
	}
}

// several notes what the arguments of a signal are called: local who, how_much = flow.signal("raise"):await().
func (s *script) several(n *ast.LocalAssignStmt) {
	last := len(n.Exprs) - 1
	if last < 0 || len(n.Names) <= len(n.Exprs) {
		return
	}
	call, is := n.Exprs[last].(*ast.FuncCallExpr)
	if !is || call.Method != "await" {
		return
	}
	call, is = call.Receiver.(*ast.FuncCallExpr)
	if !is || nameOf(call) != "signal()" {
		return
	}
	if text, is := first(call.Args).(*ast.StringExpr); is {
		s.brings[text.Value] = n.Names[last:]
	}
}
