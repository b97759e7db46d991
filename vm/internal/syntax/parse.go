package syntax

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

const tooDeep = "chunk has too many syntax levels (more than %d: Limits.SyntaxDepth)"

// PackName is what a function of the form function(...) calls for its local table arg, with its arguments.
const PackName = "(pack)"

// Parse reads a chunk. depth bounds how many levels may be inside each other; valid says whether the text of a number is one.
// pay, which may be nil, is told meanwhile what reading and compiling takes, and may panic. The error is an *Error.
func Parse(source string, depth int, valid func(string) bool, pay func(units int64)) (tree []ast.Stmt, err error) {
	defer func() {
		if r := recover(); r != nil {
			failed, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			tree, err = nil, failed
		}
	}()
	p := &parser{lexer: lexer{source: source, line: 1}, maxDepth: depth, valid: valid, used: map[string]int{}, lastLine: 1}
	if p.pay = pay; pay == nil {
		p.pay = func(int64) {}
	}
	p.scope = &scope{vararg: true}
	p.next()
	tree = p.block()
	if p.now.kind != end {
		p.expected(end)
	}
	return tree, nil
}

const maxLocals = 200

// declare counts variables that are visible from here on to the end of the block.
func (p *parser) declare(n int) {
	p.scope.locals += n
	if p.scope.locals <= maxLocals {
		return
	}
	where := "main function"
	if p.scope.line > 0 {
		where = fmt.Sprintf("function at line %d", p.scope.line)
	}
	panic(&Error{Line: p.now.line, Column: p.now.column, Message: fmt.Sprintf("%s has more than %d local variables", where, maxLocals)})
}

type parser struct {
	lexer
	now, ahead token
	looked     bool // ahead is filled
	lastLine   int  // of the token before now
	depth      int
	maxDepth   int
	functions  int
	tokens     int
	links      int
	pay        func(int64)
	valid      func(string) bool
	scope      *scope
	used       map[string]int // how often a name has been said
}

// scope is a function.
type scope struct {
	outer  *scope
	vararg bool
	dots   bool // "..." is said in it
	loops  int
	line   int // 0: the main chunk
	locals int // visible now
	cost   cost
}

func (p *parser) next() {
	p.lastLine = p.now.line
	if p.now.kind == "" {
		p.lastLine = 1
	}
	if p.now.kind == text { // a long string ends on another line than it begins
		p.lastLine = p.endLine()
	}
	if p.looked {
		p.now, p.looked = p.ahead, false
	} else {
		p.now = p.scan()
	}
	if p.now.kind == number && !p.valid(p.now.value) {
		p.syntaxError("malformed number")
	}
	p.count()
}

// endLine is the line on which the token now ends.
func (p *parser) endLine() int {
	n := p.now.line
	for i := p.now.from; i < p.now.to; i++ {
		switch c := p.source[i]; c {
		case '\n', '\r':
			if i+1 < p.now.to && (p.source[i+1] == '\n' || p.source[i+1] == '\r') && p.source[i+1] != c {
				i++
			}
			n++
		}
	}
	return n
}

func (p *parser) peek() kind {
	if !p.looked {
		p.ahead, p.looked = p.scan(), true
	}
	return p.ahead.kind
}

func (p *parser) syntaxError(format string, args ...any) {
	near := string(end)
	if p.now.kind != end {
		near = p.source[p.now.from:p.now.to]
	}
	if len(near) == 1 && (near[0] < ' ' || near[0] == 127) {
		near = fmt.Sprintf("char(%d)", near[0])
	}
	panic(&Error{Line: p.now.line, Column: p.now.column, Near: near, Message: fmt.Sprintf(format, args...), Incomplete: p.now.kind == end})
}

func (p *parser) expected(k kind) { p.syntaxError("'%s' expected", k) }

func (p *parser) accept(k kind) bool {
	if p.now.kind != k {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(k kind) {
	if !p.accept(k) {
		p.expected(k)
	}
}

// close expects what closes something that began with opening on a line.
func (p *parser) close(k, opening kind, line int) {
	if p.accept(k) {
		return
	}
	if line == p.now.line {
		p.expected(k)
	}
	p.syntaxError("'%s' expected (to close '%s' at line %d)", k, opening, line)
}

func (p *parser) name() string {
	if p.now.kind != name {
		p.expected(name)
	}
	value := p.now.value
	p.next()
	return value
}

func (p *parser) enter() {
	p.depth++
	if p.depth > p.maxDepth {
		panic(&Error{Line: p.now.line, Column: p.now.column, Message: fmt.Sprintf(tooDeep, p.maxDepth)})
	}
}

func (p *parser) leave() { p.depth-- }

func at[T ast.PositionHolder](node T, line int) T {
	node.SetLine(line)
	node.SetLastLine(line)
	return node
}

// block reads statements up to what ends them.
func (p *parser) block() []ast.Stmt {
	p.enter()
	defer p.leave()
	locals := p.scope.locals
	defer func() { p.scope.locals = locals }()
	var out []ast.Stmt
	for {
		switch p.now.kind {
		case "else", "elseif", "end", "until", end:
			return out
		case "return", "break":
			out = append(out, p.last())
			p.accept(";")
			return out // what else follows is an error to who called
		default:
			out = append(out, p.statement())
			p.accept(";")
		}
	}
}

// last reads a statement that must be the last of its block.
func (p *parser) last() ast.Stmt {
	line := p.now.line
	if p.accept("break") {
		if p.scope.loops == 0 {
			near := string(end)
			if p.now.kind != end {
				near = p.source[p.now.from:p.now.to]
			}
			panic(&Error{Line: p.now.line, Column: p.now.column, Near: near, Message: "no loop to break"})
		}
		return at(&ast.BreakStmt{}, line)
	}
	p.next()
	s := &ast.ReturnStmt{}
	switch p.now.kind {
	case "else", "elseif", "end", "until", end, ";":
	default:
		s.Exprs = p.list()
	}
	return at(s, p.lastLine)
}
