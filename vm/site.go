package vm

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// Frame is one line of a stack.
type Frame struct {
	Source   string // as given to Compile; "[C]" for a function of the library; "..." where frames are left out
	Line     int    // 0: none
	Function string // "function 'name'", "function <file.lua:12>", "main chunk", "" where unknown
}

func (f Frame) String() string {
	out := f.Source
	if f.Line > 0 {
		out = fmt.Sprintf("%s:%d", f.Source, f.Line)
	}
	if f.Function == "" {
		if f.Source == "..." {
			return out
		}
		return out + ": ?"
	}
	return out + ": in " + f.Function
}

// Site is a place in Lua code and how it was reached, captured cheaply; it is formatted when somebody looks.
type Site struct {
	marks []mark
	few   [2]mark // room for marks, as most stacks are short
}

// mark is one frame: its prototype (nil: a Go function) and where it was, as Compile encoded it.
type mark struct {
	proto *lua.FunctionProto
	at    int
	kind  markKind
}

type markKind uint8

const (
	markCall markKind = iota
	markTail          // frames that tail calls have dropped
	markCut           // frames left out
	markEdge          // where a thread ends: the function above was called by pcall or resumed
)

const (
	siteDepth = 10 // frames of a Site
	traceTop  = 10 // innermost frames of an error
	traceEnd  = 10 // outermost frames of an error

	traceCost   = 250 // of writing a traceback, in instructions
	threadDepth = 4   // frames that a thread is like
	levelCost   = 28  // of looking at a frame, in instructions
)

// Site captures where the running Lua code is. The innermost Go functions are left out.
func (s *State) Site() *Site {
	var buffer [siteDepth + 4]mark
	marks := s.appendMarks(buffer[:0], siteDepth)
	for len(marks) > 0 && marks[0].proto == nil {
		marks = marks[1:]
	}
	out := new(Site)
	out.marks = append(out.few[:0], marks...)
	return out
}

// Frames is the stack, innermost first.
func (p *Site) Frames() []Frame {
	if p == nil {
		return nil
	}
	return frames(p.marks)
}

// frames is the stack of the running code, for errors of the engine.
func (s *State) frames() []Frame { return frames(s.capture(traceTop, traceEnd)) }

// origin is where an error was raised; it travels as the cause of gopher-lua's error.
type origin struct{ marks []mark }

func (o *origin) Error() string   { return Traceback(o.frames()) }
func (o *origin) frames() []Frame { return frames(o.marks) }

// chargeTrace pays for a look at the whole stack, which takes time by its depth.
func (s *State) chargeTrace() { s.Charge(s.depth()) }

// depth is about how many frames there are.
func (s *State) depth() (n int64) {
	for t := s.top; t != nil; t = t.parent {
		n += threadDepth
		if t.stack != nil {
			n += int64(t.stack.index) * segmentFrames
		}
	}
	return n
}

// chargeLevel pays for a look at the stack down to a level: gopher-lua goes to each of the levels from the innermost.
func (s *State) chargeLevel(level int) {
	if level > 2 {
		n := min(int64(level), s.depth()+segmentFrames)
		s.Charge(n*levelCost + n*n/32)
	}
}

// capture walks the running threads, innermost first, keeping the first and the last frames.
func (s *State) capture(first, last int) []mark {
	marks := s.appendMarks(make([]mark, 0, 4), first)
	if len(marks) < first {
		return marks
	}
	tail := s.outermost(last)
	if tail == nil {
		return s.appendMarks(make([]mark, 0, first+last), first+last)
	}
	return append(append(marks, mark{kind: markCut}), tail...)
}

// appendMarks appends the innermost frames, at most n in all.
func (s *State) appendMarks(marks []mark, n int) []mark {
	for t := s.top; t != nil && len(marks) < n; t = t.parent {
		if t != s.top {
			marks = append(marks, mark{kind: markEdge})
		}
		marks = threadMarks(marks, t.l, 0, n)
	}
	return marks
}

// threadMarks appends the frames of one thread from a level on. Levels that tail calls have dropped look to
// gopher-lua like the outermost function ("main"), so they are told apart by what comes before and after.
func threadMarks(marks []mark, l *lua.LState, level, n int) []mark {
	var dbg *lua.Debug
	tail := false
	for ; len(marks) < n; level++ {
		var ok bool
		if dbg, ok = l.GetStack(level); !ok {
			break
		}
		fn, _ := l.GetInfo("fSl", dbg, lua.LNil)
		if tail && dbg.What == "main" {
			marks = append(marks, mark{kind: markTail})
			next := afterTail(l, level)
			if next < 0 { // the outermost frame itself
				return append(marks, newMark(fn.(*lua.LFunction), dbg))
			}
			level, tail = next-1, false
			continue
		}
		marks = append(marks, newMark(fn.(*lua.LFunction), dbg))
		if dbg.What == "main" {
			break
		}
		tail = dbg.What == "tail"
	}
	return marks
}

func newMark(f *lua.LFunction, dbg *lua.Debug) mark {
	if f.IsG {
		return mark{}
	}
	return mark{proto: f.Proto, at: dbg.CurrentLine}
}

// afterTail finds the first level after a run of dropped ones; -1: only the outermost frame is left.
func afterTail(l *lua.LState, level int) int {
	isMain := func(i int) (bool, bool) {
		dbg, ok := l.GetStack(i)
		if !ok {
			return false, false
		}
		l.GetInfo("S", dbg, lua.LNil)
		return dbg.What == "main", true
	}
	step := 1
	for {
		main, ok := isMain(level + step)
		if !ok {
			break
		}
		if !main { // somewhere in (level+step/2, level+step]
			low, high := level+step/2, level+step
			for low+1 < high {
				if m, _ := isMain((low + high) / 2); m {
					low = (low + high) / 2
				} else {
					high = (low + high) / 2
				}
			}
			return high
		}
		step *= 2
	}
	// The levels end within (level+step/2, level+step]; between there may be frames, just before the end.
	low, high := level+step/2, level+step
	for low+1 < high {
		middle := (low + high) / 2
		main, ok := isMain(middle)
		switch {
		case !ok:
			high = middle
		case main:
			low = middle
		default:
			return middle
		}
	}
	return -1
}

// outermost is the last n frames of the running threads; nil: there are not more than that and the first ones.
func (s *State) outermost(n int) []mark {
	var threads []*thread
	for t := s.top; t != nil; t = t.parent {
		threads = append(threads, t)
	}
	var out []mark
	for i := len(threads) - 1; i >= 0 && len(out) < n; i-- {
		l := threads[i].l
		depth := stackDepth(l)
		from := max(0, depth-(n-len(out)))
		if i == 0 && from < traceTop {
			return nil
		}
		part := threadMarks(nil, l, from, n)
		if len(out) > 0 {
			part = append(part, mark{kind: markEdge})
		}
		out = append(part, out...)
	}
	if len(out) > n {
		out = out[len(out)-n:]
	}
	return out
}

// stackDepth is the number of levels, dropped ones included.
func stackDepth(l *lua.LState) int {
	if _, ok := l.GetStack(0); !ok {
		return 0
	}
	high := 1
	for {
		if _, ok := l.GetStack(high); !ok {
			break
		}
		high *= 2
	}
	low := high / 2
	for low+1 < high {
		middle := (low + high) / 2
		if _, ok := l.GetStack(middle); ok {
			low = middle
		} else {
			high = middle
		}
	}
	return low + 1
}

// frames formats marks: a function's name is known to the code that called it, one frame further out.
func frames(marks []mark) []Frame {
	out := make([]Frame, 0, len(marks))
	for i, m := range marks {
		switch m.kind {
		case markTail:
			out = append(out, Frame{Source: "(tail call)"})
			continue
		case markCut:
			out = append(out, Frame{Source: "..."})
			continue
		case markEdge:
			continue
		}
		f := Frame{Source: "[C]"}
		if m.proto != nil {
			f.Source, f.Line = m.proto.SourceName, lineOf(m.at)
		}
		f.Function = functionName(m, marks[i+1:])
		out = append(out, f)
	}
	return out
}

func functionName(m mark, callers []mark) string {
	if m.proto != nil && m.proto.LineDefined == 0 {
		return "main chunk"
	}
	if len(callers) > 0 && callers[0].kind == markCall && callers[0].proto != nil {
		if name := calledName(callers[0].proto, pcOf(callers[0].at)); name != "" {
			return "function '" + name + "'"
		}
	}
	if m.proto != nil {
		return fmt.Sprintf("function <%s:%d>", m.proto.SourceName, m.proto.LineDefined)
	}
	return ""
}

// calledName is what the code calls the function that it calls at pc.
func calledName(p *lua.FunctionProto, pc int) string {
	for _, call := range p.DbgCalls {
		if call.Pc == pc && call.Name != "?" && call.Name != "" && call.Name[0] != '(' {
			return call.Name
		}
	}
	return ""
}
