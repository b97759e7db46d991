package vm

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Level is one Lua function of a stack with the variables that it sees, for debuggers.
type Level struct {
	Frame
	Variables []Variable   // innermost first; what another hides is left out
	Rest      []lua.LValue // what ... is
}

// Variable is one that code sees.
type Variable struct {
	Name    string
	Upvalue bool // of a function around it, as opposed to the function's own

	cell  *lua.Upvalue
	store func(lua.LValue) // into the register that cell is a copy of; nil: cell is the variable itself
}

// Value is what the variable had when its level was read; that of an upvalue is what it has now.
func (v Variable) Value() lua.LValue { return v.cell.Value() }

// Levels are the Lua functions of a stack, innermost first, as they are now. It may be asked only while the code is suspended.
// There are none where gopher-lua is another one than vm knows.
func (k Stack) Levels() []Level { return levels(k.top, false) }

// Levels are those of the running code, read for later: storing into their variables changes only upvalues.
func (s *State) Levels() []Level { return levels(s.top, true) }

// deepestLevels is how many are read.
const deepestLevels = 50

func levels(top *thread, copied bool) []Level {
	var marks []mark
	var frames []*frame
	var threads []*thread
	for t := top; t != nil && len(marks) < deepestLevels; t = t.parent {
		if t.frame == nil {
			return nil
		}
		if t != top {
			marks, frames, threads = append(marks, mark{kind: markEdge}), append(frames, nil), append(threads, t)
		}
		for f := (*frame)(*t.frame); f != nil && len(marks) < deepestLevels; f = f.parent {
			m := mark{}
			if !f.fn.IsG && f.pc > 0 {
				m = mark{proto: f.fn.Proto, at: f.fn.Proto.DbgSourcePositions[f.pc-1]}
			}
			marks, frames, threads = append(marks, m), append(frames, f), append(threads, t)
		}
	}
	var list []Level
	for i, m := range marks {
		if m.proto == nil {
			continue
		}
		level := Level{Frame: Frame{Source: m.proto.SourceName, Line: lineOf(m.at), Function: functionName(m, marks[i+1:])}}
		level.read(threads[i], frames[i], m.at, copied)
		list = append(list, level)
	}
	return list
}

// read finds the variables of a function that stands at a position.
func (v *Level) read(t *thread, f *frame, at int, copied bool) {
	seen := map[string]bool{}
	add := func(one Variable) {
		if !seen[one.Name] && !strings.HasPrefix(one.Name, "(") {
			seen[one.Name] = true
			v.Variables = append(v.Variables, one)
		}
	}
	p := f.fn.Proto
	for i := scopeOf(at); i > 0; i = p.DbgLocals[i-1].StartPc {
		local := p.DbgLocals[i-1]
		register := f.localBase + local.EndPc
		if register >= len(t.reg.array) {
			continue
		}
		one := Variable{Name: local.Name, cell: new(lua.Upvalue)}
		one.cell.SetValue(present(t.reg.array[register]))
		if !copied {
			one.store = func(value lua.LValue) { t.reg.array[register] = value }
		}
		add(one)
	}
	for i, name := range p.DbgUpvalues {
		if i < len(f.fn.Upvalues) {
			add(Variable{Name: name, Upvalue: true, cell: f.fn.Upvalues[i]})
		}
	}
	if p.IsVarArg > 0 {
		first := f.base + 1 + int(p.NumParameters)
		for i := first; i < f.base+1+f.args && i < len(t.reg.array); i++ {
			v.Rest = append(v.Rest, present(t.reg.array[i]))
		}
	}
}

// present is nil of a register that was never set.
func present(v lua.LValue) lua.LValue {
	if v == nil {
		return lua.LNil
	}
	return v
}

// Evaluate runs a chunk, expressions or statements, as if it stood where a level is. What it assigns to variables of the level is
// stored there. A local variable of the chunk is gone when it ends. Errors are *SyntaxError and *Error.
func (s *State) Evaluate(at Level, name, source string) ([]lua.LValue, error) {
	scope := &Session{state: s, cells: map[string]*lua.Upvalue{}}
	for _, v := range at.Variables {
		scope.cells[v.Name] = v.cell
	}
	chunk, err := scope.Load(name, source, 1)
	if err != nil {
		return nil, err
	}
	before := make([]lua.LValue, len(at.Variables))
	for i, v := range at.Variables {
		before[i] = v.cell.Value()
	}
	defer func() {
		for i, v := range at.Variables {
			if after := v.cell.Value(); v.store != nil && after != before[i] {
				v.store(after)
			}
		}
	}()
	return s.Call(chunk.Function, at.Rest...)
}
