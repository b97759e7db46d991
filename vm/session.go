package vm

import (
	"errors"
	"maps"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/flowlua/flowlua/vm/internal/syntax"
)

// Session loads chunks one after the other that share the local variables of their top levels: what one line declares, the
// next ones and all their functions see. Each declaration is a variable of its own, as in one chunk: a function keeps the one
// that it was written under.
type Session struct {
	state *State
	cells map[string]*lua.Upvalue // the variables in scope, by name
}

// NewSession begins one, without variables.
func (s *State) NewSession() *Session {
	n := &Session{state: s, cells: map[string]*lua.Upvalue{}}
	s.sessions = append(s.sessions, n)
	return n
}

// Typed is a chunk of a session that is ready to run.
type Typed struct {
	Function   *lua.LFunction
	Expression bool // its values are those of the expressions that it consists of

	session *Session
	before  map[string]*lua.Upvalue // what its declarations have hidden
	own     map[string]*lua.Upvalue
}

// maxSessionLocals is how many variables of the top level one chunk may use.
const maxSessionLocals = 180

// Load compiles a chunk, as expressions if it is that ("1+1", "=1+1") and else as statements. line is the line on which it
// begins, from 1. Its variables are in scope from now on. Errors are *SyntaxError.
func (n *Session) Load(name, source string, line int) (*Typed, error) {
	tree, expression, err := parseTyped(name, source, line, n.state.limits)
	if err != nil {
		return nil, err
	}
	r := &renamer{chunk: name, outer: map[string]string{}, taken: map[string]string{}}
	for name := range n.cells {
		r.outer[name] = name
	}
	tree = r.top(tree)
	names := append(slices.Sorted(maps.Keys(r.used)), r.declared...)
	if len(names) > maxSessionLocals {
		return nil, &SyntaxError{Chunk: name, Line: line, Message: "too many local variables at the top level of one chunk (180 at most)"}
	}
	chunk, err := compileTree(tree, name, padded(source, line), n.state.limits, names)
	if err != nil {
		return nil, err
	}
	return n.bind(n.state.Load(chunk), r, expression), nil
}

// bind gives a chunk's function the variables that it speaks of.
func (n *Session) bind(fn *lua.LFunction, r *renamer, expression bool) *Typed {
	t := &Typed{Function: fn, Expression: expression, session: n, before: map[string]*lua.Upvalue{}, own: map[string]*lua.Upvalue{}}
	cells := map[string]*lua.Upvalue{}
	for hidden, name := range r.used {
		cells[hidden] = n.cells[name]
	}
	for _, hidden := range r.declared {
		cell := new(lua.Upvalue)
		cell.SetValue(lua.LNil)
		cells[hidden] = cell
		name := r.taken[hidden]
		if _, again := t.own[name]; !again {
			t.before[name] = n.cells[name]
		}
		t.own[name], n.cells[name] = cell, cell
	}
	for i, hidden := range fn.Proto.DbgUpvalues {
		if cell := cells[hidden]; cell != nil {
			fn.Upvalues[i] = cell
		}
	}
	return t
}

// Failed takes declarations out of scope that the chunk has not come to, because it ended with an error.
func (t *Typed) Failed() {
	for name, cell := range t.own {
		if cell.Value() != lua.LNil || t.session.cells[name] != cell {
			continue
		}
		if old := t.before[name]; old != nil {
			t.session.cells[name] = old
		} else {
			delete(t.session.cells, name)
		}
	}
}

// Locals are the names of the variables in scope, sorted.
func (n *Session) Locals() []string { return slices.Sorted(maps.Keys(n.cells)) }

// Local is the value of a variable in scope, false if there is none of the name.
func (n *Session) Local(name string) (lua.LValue, bool) {
	cell, ok := n.cells[name]
	if !ok {
		return lua.LNil, false
	}
	return cell.Value(), true
}

// CheckTyped is the error that Session.Load would give for a source text, with Incomplete set if more lines may complete it.
func CheckTyped(name, source string, line int, limits Limits) error {
	tree, _, err := parseTyped(name, source, line, limits)
	if err != nil {
		return err
	}
	_, err = compileTree(tree, name, padded(source, line), limits.withDefaults(), nil)
	return err
}

// padded puts a chunk on its line.
func padded(source string, line int) string {
	return strings.Repeat("\n", max(0, line-1)) + source
}

// parseTyped reads a chunk as expressions, else as statements.
func parseTyped(name, source string, line int, limits Limits) (tree []ast.Stmt, expression bool, err error) {
	limits = limits.withDefaults()
	if len(source) > limits.SourceBytes {
		return nil, false, &SyntaxError{Chunk: name, Line: line, Message: "the source is longer than allowed (Limits.SourceBytes)"}
	}
	value := source
	if rest, ok := strings.CutPrefix(strings.TrimLeft(source, " \t"), "="); ok {
		value = rest
	}
	tree, asValue := syntax.Parse(padded("return "+value, line), limits.SyntaxDepth, isNumber, nil)
	if asValue == nil && len(tree) == 1 {
		if s, ok := tree[0].(*ast.ReturnStmt); ok && len(s.Exprs) > 0 {
			return tree, true, nil
		}
	}
	text := source
	if strings.HasPrefix(text, "#") { // #!/usr/bin/env flowlua
		text = "--" + text
	}
	tree, err = syntax.Parse(padded(text, line), limits.SyntaxDepth, isNumber, nil)
	if err == nil {
		return tree, false, nil
	}
	if value != source && asValue != nil { // =1+1: the other reading helps nobody
		err = asValue
	}
	failed := newSyntaxError(name, err)
	failed.Incomplete = value != source && asValue == nil || incomplete(err) || incomplete(asValue) || failed.Near == "<eof>" && escaped(source)
	return nil, false, failed
}

// escaped says whether the text ends with a backslash that escapes the end of its line: so a quoted string goes on.
func escaped(source string) bool {
	return (len(source)-len(strings.TrimRight(source, "\\")))%2 == 1
}

// incomplete says whether the text ends where something is missing. A quoted string cannot go on.
func incomplete(err error) bool {
	var e *syntax.Error
	return errors.As(err, &e) && (e.Incomplete || e.Near == "<eof>" && e.Message == "'=' expected")
}
