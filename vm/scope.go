package vm

import (
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// scoper notes at each node of a rewritten tree which variables are visible there, in the order in which the code generator
// gives them registers. gopher-lua notes the ends of scopes only for the first variable that has had a register.
type scoper struct {
	functions [][]*lua.DbgLocalInfo // in the order in which they are compiled
	current   int                   // the function
	visible   int                   // the innermost variable, counted from 1; 0: none
	blocks    []block               // of the function, outermost first
}

// block is what goto must know of one: where it leads decides which variables end.
type block struct {
	entry  int            // what was visible before it
	labels map[string]int // what is visible at each; -1: it is still to come
}

// A variable is a DbgLocalInfo: StartPc is the one declared before it that is visible too, EndPc its register.

func (s *scoper) declare(name string) {
	list := s.functions[s.current]
	register := 0
	if s.visible > 0 {
		register = list[s.visible-1].EndPc + 1
	}
	list = append(list, &lua.DbgLocalInfo{Name: name, StartPc: s.visible, EndPc: register})
	s.functions[s.current] = list
	s.visible = len(list)
	if s.visible >= 1<<scopeBits {
		s.visible = 0 // names are lost, nothing else
	}
}

func (s *scoper) mark(p ast.PositionHolder) {
	p.SetLine(p.Line()&(1<<(lineBits+boundBits)-1) | s.visible<<(lineBits+boundBits))
}

func (s *scoper) block(stmts []ast.Stmt) {
	before := s.visible
	s.body(before, stmts)
	s.visible = before
}

// body is a block of which variables may be declared already; before is what was visible without them.
func (s *scoper) body(before int, stmts []ast.Stmt) {
	b := block{entry: before}
	for _, stmt := range stmts {
		if label, ok := stmt.(*ast.LabelStmt); ok {
			if b.labels == nil {
				b.labels = map[string]int{}
			}
			b.labels[label.Name] = -1
		}
	}
	s.blocks = append(s.blocks, b)
	for _, stmt := range stmts {
		s.stmt(stmt)
	}
	s.blocks = s.blocks[:len(s.blocks)-1]
}

// jump notes at a goto what is visible at its label. The code generator would end all variables of the function, so that
// closures around them would each keep one of their own.
func (s *scoper) jump(g *ast.GotoStmt) {
	visible := s.visible
	for i := len(s.blocks) - 1; i >= 0; i-- {
		if at, ok := s.blocks[i].labels[g.Label]; ok {
			if at >= 0 {
				visible = at
			}
			g.SetLine(g.Line() | gotoMark<<lineBits | visible<<(lineBits+boundBits))
			return
		}
		visible = s.blocks[i].entry
	}
}

func (s *scoper) stmt(stmt ast.Stmt) {
	switch stmt := stmt.(type) {
	case *ast.AssignStmt:
		s.exprs(stmt.Lhs)
		s.exprs(stmt.Rhs)
	case *ast.LocalAssignStmt:
		if _, ok := single[*ast.FunctionExpr](stmt.Exprs); ok && len(stmt.Names) == 1 {
			s.declare(stmt.Names[0])
			s.exprs(stmt.Exprs)
			break
		}
		s.exprs(stmt.Exprs)
		for _, name := range stmt.Names {
			s.declare(name)
		}
		return
	case *ast.FuncCallStmt:
		s.expr(stmt.Expr)
	case *ast.DoBlockStmt:
		s.block(stmt.Stmts)
	case *ast.WhileStmt:
		s.expr(stmt.Condition)
		s.block(stmt.Stmts)
	case *ast.RepeatStmt:
		before := s.visible
		s.body(before, stmt.Stmts)
		s.expr(stmt.Condition)
		s.visible = before
	case *ast.IfStmt:
		s.ifStmt(stmt)
	case *ast.NumberForStmt:
		s.numberFor(stmt)
	case *ast.GenericForStmt:
		before := s.visible
		for range 3 {
			s.declare("(for)")
		}
		s.exprs(stmt.Exprs)
		s.mark(stmt)
		for _, name := range stmt.Names {
			s.declare(name)
		}
		s.body(before, stmt.Stmts)
		s.visible = before
		return
	case *ast.FuncDefStmt:
		if stmt.Name.Func != nil {
			s.expr(stmt.Name.Func)
		} else {
			s.expr(stmt.Name.Receiver)
		}
		s.function(stmt.Func, stmt.Name.Func == nil)
	case *ast.ReturnStmt:
		s.exprs(stmt.Exprs)
	case *ast.LabelStmt:
		s.blocks[len(s.blocks)-1].labels[stmt.Name] = s.visible
		return // its line is in messages
	case *ast.GotoStmt:
		s.jump(stmt)
		return
	}
	s.mark(stmt)
}

func (s *scoper) ifStmt(stmt *ast.IfStmt) {
	for {
		s.expr(stmt.Condition)
		s.mark(stmt)
		s.block(stmt.Then)
		next, ok := single[*ast.IfStmt](stmt.Else)
		if !ok {
			s.block(stmt.Else)
			return
		}
		stmt = next
	}
}

func (s *scoper) numberFor(stmt *ast.NumberForStmt) {
	before := s.visible
	s.declare("(for)")
	s.expr(stmt.Init)
	s.declare("(for)")
	s.expr(stmt.Limit)
	s.declare("(for)")
	if stmt.Step != nil {
		s.expr(stmt.Step)
	}
	s.mark(stmt)
	s.declare(stmt.Name)
	s.body(before, stmt.Stmts)
	s.visible = before
}

func (s *scoper) exprs(exprs []ast.Expr) {
	for _, e := range exprs {
		s.expr(e)
	}
}

func (s *scoper) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		s.expr(e.Object)
		s.expr(e.Key)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			if f.Key != nil {
				s.expr(f.Key)
			}
			s.expr(f.Value)
		}
	case *ast.FuncCallExpr:
		if e.Func != nil {
			s.expr(e.Func)
		}
		if e.Receiver != nil {
			s.expr(e.Receiver)
		}
		s.exprs(e.Args)
	case *ast.LogicalOpExpr:
		s.expr(e.Lhs)
		s.expr(e.Rhs)
	case *ast.RelationalOpExpr:
		s.expr(e.Lhs)
		s.expr(e.Rhs)
	case *ast.ArithmeticOpExpr:
		s.expr(e.Lhs)
		s.expr(e.Rhs)
	case *ast.UnaryMinusOpExpr:
		s.expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		s.expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		s.expr(e.Expr)
	case *ast.FunctionExpr:
		s.function(e, false)
	}
	s.mark(e)
}

func (s *scoper) function(f *ast.FunctionExpr, method bool) {
	current, visible, blocks := s.current, s.visible, s.blocks
	s.current, s.visible, s.blocks = len(s.functions), 0, nil
	s.functions = append(s.functions, nil)
	if method {
		s.declare("self")
	}
	for _, name := range f.ParList.Names {
		s.declare(name)
	}
	s.body(0, f.Stmts)
	s.current, s.visible, s.blocks = current, visible, blocks
	s.mark(f)
}
