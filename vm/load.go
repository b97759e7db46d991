package vm

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// loadCost is what loading an empty text takes; the parser counts the rest.
const loadCost = 2000

// readPerCharge is how many bytes of a source are read for one instruction.
const readPerCharge = 4

// failedPerByte is what a module costs that does not compile.
const failedPerByte = 4

// load takes a function that gives the pieces of the source, or, as later Luas do, the source.
func (s *State) load(l *lua.LState) int {
	if text, ok := l.Get(1).(lua.LString); ok {
		return s.compileArg(l, string(text), optionalText(l, 2, string(text)))
	}
	reader := l.CheckFunction(1)
	name := optionalText(l, 2, "=(load)")
	var b strings.Builder
	for {
		s.budget.charge(pcallCost)
		t := s.newThread()
		t.quiet = true
		t.l.Push(reader)
		if failed := s.invoke(t, 0); failed != nil {
			l.Push(lua.LNil)
			l.Push(failed.Object)
			return 2
		}
		piece := t.l.Get(1)
		s.release(t)
		if piece == lua.LNil || piece == lua.LString("") {
			return s.compileArg(l, b.String(), name)
		}
		text, ok := plainText(piece)
		if !ok {
			l.Push(lua.LNil)
			l.Push(lua.LString(s.where(l, 1) + "reader function must return a string"))
			return 2
		}
		if b.Len()+len(text) <= s.limits.SourceBytes {
			b.WriteString(text)
		} else { // one byte too many, for Compile to refuse
			return s.compileArg(l, strings.Repeat(" ", s.limits.SourceBytes+1), name)
		}
	}
}

func (s *State) loadString(l *lua.LState) int {
	text := textArgument(l, 1)
	return s.compileArg(l, text, optionalText(l, 2, text))
}

func (s *State) compileArg(l *lua.LState, source, name string) int {
	s.Charge(loadCost + int64(min(len(source), s.limits.SourceBytes)/readPerCharge))
	if strings.HasPrefix(source, "#") { // only the first line of a file may be for others
		source = " " + source
	}
	chunk, err := compilePaid(chunkName(name, nameSize), source, s.limits, s.Charge)
	if err != nil {
		if wrong, ok := err.(*SyntaxError); ok {
			wrong.Chunk = chunkName(name, syntaxNameSize)
		}
		l.Push(lua.LNil)
		l.Push(lua.LString(err.Error()))
		return 2
	}
	l.Push(s.Load(chunk))
	return 1
}
