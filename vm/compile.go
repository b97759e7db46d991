package vm

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/flowlua/flowlua/vm/internal/syntax"
)

// Chunk is a compiled source text. It is immutable and may be loaded into any number of states at once.
type Chunk struct {
	Name  string
	proto *lua.FunctionProto // of the function that takes the helpers and returns the chunk
}

// Compile makes a chunk of a source text. name stands in messages as it is: "order.lua". Errors are *SyntaxError.
func Compile(name, source string, limits Limits) (*Chunk, error) {
	return compilePaid(name, source, limits, nil)
}

// compilePaid is Compile; pay, which may be nil, is told what it takes.
func compilePaid(name, source string, limits Limits, pay func(int64)) (*Chunk, error) {
	limits = limits.withDefaults()
	if len(source) > limits.SourceBytes {
		return nil, &SyntaxError{Chunk: name, Line: 1, Message: fmt.Sprintf("the source is %d bytes long, more than the %d allowed (Limits.SourceBytes)", len(source), limits.SourceBytes)}
	}
	if strings.HasPrefix(source, "#") { // #!/usr/bin/env flowlua
		source = "--" + source
	}
	if strings.HasPrefix(source, "\x1bLua") {
		return nil, &SyntaxError{Chunk: name, Line: 1, Message: "precompiled chunks cannot be loaded"}
	}
	tree, err := syntax.Parse(source, limits.SyntaxDepth, isNumber, pay)
	if err != nil {
		return nil, newSyntaxError(name, err)
	}
	return compileTree(tree, name, source, limits, nil)
}

// compileTree compiles a parsed chunk; variables are those around it that are not its own.
func compileTree(tree []ast.Stmt, name, source string, limits Limits, variables []string) (*Chunk, error) {
	tree, err := rewrite(tree, name, limits.SyntaxDepth)
	if err != nil {
		return nil, err
	}
	proto, scopes, err := generate(tree, name, source, variables)
	if err != nil {
		return nil, err
	}
	if err := finish(proto, name, &scopes, len(variables)); err != nil {
		return nil, err
	}
	proto.FunctionPrototypes[0].LineDefined = 0 // what tells a main chunk from a function
	return &Chunk{Name: name, proto: proto}, nil
}

// generate compiles the tree as the body of a function inside one that takes the helpers, so that they are upvalues
// with names that no script can say:
//
//	local (concat), (list), … = ...; return function(...) tree end
//
// The variables of a session follow the helpers.
func generate(tree []ast.Stmt, name, source string, variables []string) (proto *lua.FunctionProto, scopes [][]*lua.DbgLocalInfo, err error) {
	defer func() {
		if r := recover(); r != nil {
			proto, scopes, err = nil, nil, &SyntaxError{Chunk: name, Line: 1, Message: fmt.Sprintf("the code generator failed: %v", r)}
		}
	}()
	end := &ast.Node{}
	end.SetLine(1)
	end.SetLastLine(strings.Count(source, "\n") + 1)
	body := at(&ast.FunctionExpr{ParList: &ast.ParList{HasVargs: true}, Stmts: tree}, end)
	outer := []ast.Stmt{
		at(&ast.LocalAssignStmt{Names: slices.Concat(helperNames, variables), Exprs: []ast.Expr{at(&ast.Comma3Expr{}, end)}}, end),
		at(&ast.ReturnStmt{Exprs: []ast.Expr{body}}, end),
	}
	marks := scoper{functions: make([][]*lua.DbgLocalInfo, 1)}
	marks.body(0, outer)
	proto, err = lua.Compile(outer, name)
	var failed *lua.CompileError
	if errors.As(err, &failed) {
		return nil, nil, &SyntaxError{Chunk: name, Line: max(1, lineOf(failed.Line)), Message: plainLines(failed.Message)}
	}
	return proto, marks.functions, err
}

var lineInMessage = regexp.MustCompile(`line \d+`)

// plainLines takes what is beside lines out of a message of the code generator.
func plainLines(message string) string {
	return lineInMessage.ReplaceAllStringFunc(message, func(text string) string {
		n, _ := strconv.Atoi(text[len("line "):])
		return "line " + strconv.Itoa(lineOf(n))
	})
}

const (
	maxCode     = 131_071 // a jump's reach; further backward jumps overflow silently
	maxUpvalues = 60      // Lua's limit; gopher-lua counts them in a byte
)

// finish checks what the code generator does not and encodes the positions. scopes are those of this function and of
// all that follow. The top level of a session's chunk has its local variables, so many, around it.
func finish(p *lua.FunctionProto, name string, scopes *[][]*lua.DbgLocalInfo, variables int) error {
	encode(p, (*scopes)[0])
	*scopes = (*scopes)[1:]
	if len(p.Code) > maxCode {
		return &SyntaxError{Chunk: name, Line: max(1, p.LineDefined), Message: syntax.TooLong}
	}
	meter(p)
	fit(p)
	own := 0
	for _, upvalue := range p.DbgUpvalues {
		if !strings.HasPrefix(upvalue, "(") {
			own++
		}
	}
	if own > maxUpvalues+variables {
		return &SyntaxError{Chunk: name, Line: max(1, p.LineDefined), Message: fmt.Sprintf("function at line %d has more than %d upvalues", p.LineDefined, maxUpvalues)}
	}
	if len(p.DbgUpvalues) > 0 { // the chunk itself: its functions have the usual limit
		variables = 0
	}
	for _, inner := range p.FunctionPrototypes {
		if err := finish(inner, name, scopes, variables); err != nil {
			return err
		}
	}
	return nil
}

// longKey is the length from which on a text in the source that is a field's name is looked up by the instructions that pay
// for its length.
const longKey = 1000

// meter lets fields with long names be paid for.
func meter(p *lua.FunctionProto) {
	if !slices.ContainsFunc(p.Constants, isLongKey) {
		return
	}
	for i, code := range p.Code {
		key, op := 0, 0
		switch int(code >> 26) {
		case lua.OP_GETTABLEKS:
			key, op = rkC(code), lua.OP_GETTABLE
		case lua.OP_SETTABLEKS:
			key, op = rkB(code), lua.OP_SETTABLE
		default:
			continue
		}
		if key < 256 || isLongKey(p.Constants[key-256]) { // a register has it where there are many constants
			p.Code[i] = code&^(0x3f<<26) | uint32(op)<<26
		}
	}
}

func isLongKey(v lua.LValue) bool {
	text, ok := v.(lua.LString)
	return ok && len(text) > longKey
}

// fit frees what the code generator has allocated ahead: some 15 KB for each function.
func fit(p *lua.FunctionProto) {
	p.Code, p.DbgSourcePositions = slices.Clone(p.Code), slices.Clone(p.DbgSourcePositions)
	p.Constants, p.DbgCalls = slices.Clone(p.Constants), slices.Clone(p.DbgCalls)
	p.DbgLocals, p.DbgUpvalues = slices.Clone(p.DbgLocals), slices.Clone(p.DbgUpvalues)
	p.FunctionPrototypes = slices.Clone(p.FunctionPrototypes)
}
