package explore

import (
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

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
	inputs   []string                   // first parameters of workflows
	signals  map[string]bool            // names given to flow.signal and flow.on
	called   map[ast.Expr]bool          // fields that are functions
	ignored  map[string]bool            // names of libraries
}

// read looks through all sources.
func read(p *workflow.Program) *script {
	s := &script{uses: map[string]use{}, literals: map[string][]string{}, returns: map[string]shape{}, raised: map[string]map[string]bool{},
		handled: map[string]bool{}, seen: map[string]bool{}, of: map[string]map[string]bool{}, sources: map[string]string{}, stubs: map[string]string{}, called: map[ast.Expr]bool{}, signals: map[string]bool{}, ignored: map[string]bool{}}
	for _, name := range []string{"flow", "string", "table", "math", "os", "json", "io", "http", "fs", "hash", "coroutine", "debug"} {
		s.ignored[name] = true
	}
	files := p.Sources().Files
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(name) != ".lua" {
			continue
		}
		if tree, err := parse.Parse(strings.NewReader(files[name]), name); err == nil {
			s.walk(reflect.ValueOf(tree))
		}
	}
	s.settle()
	for name := range s.seen {
		s.fields = append(s.fields, name)
	}
	slices.Sort(s.fields)
	return s
}

// walk visits every node of a syntax tree.
func (s *script) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		s.walk(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			s.walk(v.Index(i))
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if call, is := v.Interface().(*ast.FuncCallExpr); is && s.activity(call) {
			return
		}
		s.visit(v.Interface())
		s.walk(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				s.walk(v.Field(i))
			}
		}
	}
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
		for i, name := range n.Names[:min(len(n.Names), len(n.Exprs))] {
			s.assigned(name, n.Exprs[i])
		}
	case *ast.AssignStmt:
		for i, to := range n.Lhs[:min(len(n.Lhs), len(n.Rhs))] {
			if name := nameOf(to); name != "" {
				s.assigned(name, n.Rhs[i])
			}
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
		}
	}
	for variable, activity := range s.stubs {
		s.uses[activity+"()"] = max(s.uses[activity+"()"], s.uses[variable+"()"])
	}
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

// workflow notes what the input is called.
func (s *script) workflow(n *ast.FuncCallExpr) {
	get, is := n.Func.(*ast.AttrGetExpr)
	if !is || nameOf(get.Object) != "flow" || nameOf(get) != "workflow" || len(n.Args) == 0 {
		return
	}
	if fn, is := n.Args[len(n.Args)-1].(*ast.FunctionExpr); is && len(fn.ParList.Names) > 0 {
		s.inputs = append(s.inputs, fn.ParList.Names[0])
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
	s.walk(reflect.ValueOf(fn.Stmts))
	s.within = ""
	s.returns[name.Value] = none
	s.returned(name.Value, reflect.ValueOf(fn.Stmts))
	for _, option := range n.Args[1 : len(n.Args)-1] {
		s.walk(reflect.ValueOf(option))
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
