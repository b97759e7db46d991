package vm

import (
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// covered is the line that was run last.
type covered struct {
	proto *lua.FunctionProto
	line  int
}

// cover tells of the line of the instruction that is about to run, if it is another one than before.
func (s *State) cover() {
	t := s.top
	if t == nil || t.frame == nil || *t.frame == nil {
		return
	}
	f := (*frame)(*t.frame)
	if f.fn.IsG || f.pc < 1 || f.pc > len(f.fn.Proto.DbgSourcePositions) {
		return
	}
	at := covered{f.fn.Proto, lineOf(f.fn.Proto.DbgSourcePositions[f.pc-1])}
	if at != s.covered && at.line > 0 {
		s.covered = at
		s.config.Cover(at.proto.SourceName, at.line)
	}
}

// Lines are those of the chunk that something is done in, in order: what Config.Cover can be told of.
func (c *Chunk) Lines() []int {
	var lines []int
	for _, p := range c.proto.FunctionPrototypes { // the outermost is not of the source
		lines = appendLines(lines, p)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func appendLines(lines []int, p *lua.FunctionProto) []int {
	for i, at := range p.DbgSourcePositions {
		// The last instruction returns from where nothing is written, and one after a tail call is never reached.
		reached := i < len(p.Code)-1 && (i == 0 || int(p.Code[i-1]>>26) != lua.OP_TAILCALL)
		if line := lineOf(at); line > 0 && reached {
			lines = append(lines, line)
		}
	}
	for _, inner := range p.FunctionPrototypes {
		lines = appendLines(lines, inner)
	}
	return lines
}
