package explore

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

	"github.com/flowlua/flowlua/internal/syntaxtree"
	"github.com/flowlua/flowlua/workflow"
)

// use is how a script uses a field or a variable of some name. Higher ones say more.
type use uint8

const (
	passed   use = iota // on, as far as is seen
	tested              // if x then
	texted              // as a text
	numbered            // as a number
	listed              // as a list
	indexed             // x.field
)

// script is what the sources of a program tell about the values that it uses.
type script struct {
	fields   []string // names of fields that are read, sorted
	uses     map[string]use
	literals map[string][]string        // texts that a name is compared with
	returns  map[string]shape           // of activities that the script implements
	raised   map[string]map[string]bool // names of errors, by the activity that raises them
	handled  map[string]bool            // names of errors that something is done about
	seen     map[string]bool            // fields
	within   string                     // the activity whose function is read
	of       map[string]map[string]bool // fields that are read of what has a name; of the items of a list with [] after its name
	sources  map[string]string          // what a variable was given: the name of a variable or, with (), of what was called
	stubs    map[string]string          // activities by the variable of their stub
	params   map[string][]string        // of functions, by their names
	inputs   []string                   // first parameters of workflows
	takes    map[string][]string        // all parameters of a workflow
	brings   map[string][]string        // what the arguments of a signal are called, where it has several
	signals  map[string]bool            // names given to flow.signal and flow.on
	called   map[ast.Expr]bool          // fields that are functions
	ignored  map[string]bool            // names of libraries
}

// read looks through all sources.
func read(p *workflow.Program) *script {
	s := &script{uses: map[string]use{}, literals: map[string][]string{}, returns: map[string]shape{}, raised: map[string]map[string]bool{},
		handled: map[string]bool{}, seen: map[string]bool{}, of: map[string]map[string]bool{}, params: map[string][]string{}, sources: map[string]string{}, stubs: map[string]string{}, called: map[ast.Expr]bool{}, signals: map[string]bool{}, ignored: map[string]bool{},
		takes: map[string][]string{}, brings: map[string][]string{}}
	for _, name := range []string{"flow", "string", "table", "math", "os", "json", "io", "http", "fs", "hash", "coroutine", "debug"} {
		s.ignored[name] = true
	}
	files := p.Sources().Files
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(name) != ".lua" {
			continue
		}
		if tree, err := parse.Parse(strings.NewReader(files[name]), name); err == nil {
			s.walk(tree)
		}
	}
	s.settle()
	for name := range s.seen {
		s.fields = append(s.fields, name)
	}
	slices.Sort(s.fields)
	return s
}

// walk goes through a syntax tree.
func (s *script) walk(tree any) {
	syntaxtree.Walk(tree, func(node any) bool {
		if call, is := node.(*ast.FuncCallExpr); is && s.activity(call) {
			return false
		}
		s.visit(node)
		return true
	})
}

// visit notes what a node says about the names in it.
func (s *script) visit(n any) {
	switch n := n.(type) {
	case *ast.AttrGetExpr:
		if key, is := n.Key.(*ast.StringExpr); is && !s.library(n.Object) && !s.called[n] {
			s.seen[key.Value] = true
			s.field(nameOf(n.Object), key.Value)
		}
		if _, named := n.Key.(*ast.StringExpr); named {
			s.note(n.Object, indexed)
		} else {
			s.note(n.Object, listed)
		}
	case *ast.ArithmeticOpExpr:
		s.note(n.Lhs, numbered)
		s.note(n.Rhs, numbered)
	case *ast.UnaryMinusOpExpr:
		s.note(n.Expr, numbered)
	case *ast.StringConcatOpExpr:
		s.note(n.Lhs, texted)
		s.note(n.Rhs, texted)
	case *ast.UnaryLenOpExpr:
		s.note(n.Expr, listed)
	case *ast.UnaryNotOpExpr:
		s.note(n.Expr, tested)
	case *ast.LogicalOpExpr:
		s.note(n.Lhs, tested)
	case *ast.IfStmt:
		s.note(n.Condition, tested)
	case *ast.NumberForStmt:
		s.note(n.Limit, numbered)
	case *ast.RelationalOpExpr:
		s.compared(n)
	case *ast.LocalAssignStmt:
		s.several(n)
		for i, name := range n.Names[:min(len(n.Names), len(n.Exprs))] {
			s.assigned(name, n.Exprs[i])
		}
	case *ast.AssignStmt:
		for i, to := range n.Lhs[:min(len(n.Lhs), len(n.Rhs))] {
			if name := nameOf(to); name != "" {
				s.assigned(name, n.Rhs[i])
			}
		}
	case *ast.FuncDefStmt:
		if name := nameOf(n.Name.Func); name != "" {
			s.assigned(name, n.Func)
		}
	case *ast.GenericForStmt:
		if call, is := first(n.Exprs).(*ast.FuncCallExpr); is && len(n.Names) > 0 {
			s.items(n.Names[len(n.Names)-1], first(call.Args))
		}
	case *ast.FuncCallExpr:
		s.call(n)
	case *ast.TableExpr:
		s.handlers(n)
	}
}

func (s *script) compared(n *ast.RelationalOpExpr) {
	for _, pair := range [2][2]ast.Expr{{n.Lhs, n.Rhs}, {n.Rhs, n.Lhs}} {
		one, other := pair[0], pair[1]
		switch literal := other.(type) {
		case *ast.NumberExpr:
			s.note(one, numbered)
		case *ast.StringExpr:
			s.literal(one, literal.Value)
		default:
			if n.Operator != "==" && n.Operator != "~=" {
				s.note(one, numbered)
			}
		}
	}
}

// literal notes x == "text", also as type(x) == "number" and err.name == "CardDeclined".
func (s *script) literal(e ast.Expr, text string) {
	if call, is := e.(*ast.FuncCallExpr); is && nameOf(call.Func) == "type" && len(call.Args) == 1 {
		if u, known := map[string]use{"number": numbered, "string": texted, "table": indexed}[text]; known {
			s.note(call.Args[0], u)
		}
		return
	}
	name := nameOf(e)
	switch {
	case name == "":
	case name == "name":
		s.handled[text] = true
	case !slices.Contains(s.literals[name], text):
		s.literals[name] = append(s.literals[name], text)
		s.note(e, texted)
	}
}

func (s *script) call(n *ast.FuncCallExpr) {
	arg := func(i int, u use) {
		if i < len(n.Args) {
			s.note(n.Args[i], u)
		}
	}
	s.workflow(n)
	for i, param := range s.params[nameOf(n.Func)] {
		if i < len(n.Args) {
			s.assigned(param, n.Args[i])
		}
	}
	if n.Receiver != nil { // x:method() is no field of a value
		if text, is := first(n.Args).(*ast.StringExpr); is && n.Method == "is" {
			s.handled[text.Value] = true
		}
		if _, text := stringMethods[n.Method]; text {
			s.note(n.Receiver, texted)
		}
		return
	}
	if get, is := n.Func.(*ast.AttrGetExpr); is {
		s.called[get] = true
		library := nameOf(get.Object)
		name := nameOf(get)
		switch {
		case library == "string":
			arg(0, texted)
		case library == "math", library == "flow" && name == "sleep":
			for i := range n.Args {
				arg(i, numbered)
			}
		case library == "table", library == "flow" && name == "map":
			arg(0, listed)
			if len(n.Args) > 1 {
				if fn, is := n.Args[1].(*ast.FunctionExpr); is && len(fn.ParList.Names) > 0 {
					s.items(fn.ParList.Names[0], n.Args[0])
				}
			}
		case library == "flow" && (name == "signal" || name == "on"):
			if text, is := first(n.Args).(*ast.StringExpr); is {
				s.signals[text.Value] = true
				if fn, is := n.Args[len(n.Args)-1].(*ast.FunctionExpr); is && len(fn.ParList.Names) > 1 {
					s.brings[text.Value] = fn.ParList.Names
				}
			}
		case library == "flow" && name == "error":
			if text, is := first(n.Args).(*ast.StringExpr); is && s.within != "" {
				if s.raised[s.within] == nil {
					s.raised[s.within] = map[string]bool{}
				}
				s.raised[s.within][text.Value] = true
			}
		}
		return
	}
	switch nameOf(n.Func) {
	case "ipairs", "pairs", "unpack":
		arg(0, listed)
	case "tonumber":
		arg(0, numbered)
	}
}

var stringMethods = map[string]bool{"sub": true, "match": true, "gmatch": true, "gsub": true, "find": true, "upper": true, "lower": true, "rep": true, "byte": true, "format": true}

// handlers notes the names in catch = { Name = function … } and in lists of names of a retry.
func (s *script) handlers(t *ast.TableExpr) {
	for _, f := range t.Fields {
		key, is := f.Key.(*ast.StringExpr)
		if !is {
			continue
		}
		table, is := f.Value.(*ast.TableExpr)
		switch {
		case !is:
		case key.Value == "catch":
			for _, h := range table.Fields {
				if name, is := h.Key.(*ast.StringExpr); is {
					s.handled[name.Value] = true
				}
			}
		case key.Value == "retry_on", key.Value == "dont_retry_on":
			for _, h := range table.Fields {
				if name, is := h.Value.(*ast.StringExpr); is {
					s.handled[name.Value] = true
				}
			}
		}
	}
}
