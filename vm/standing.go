package vm

import "slices"

// Stack is where suspended Lua code stands. It is read while the code is suspended, at no cost before: a dump that nobody
// looks at is free.
type Stack struct{ top *thread }

// Stack is that of the running code, to be read after it has called Suspend and before it goes on.
func (s *State) Stack() Stack { return Stack{s.top} }

// Frames is the stack, innermost first; empty where no Lua code runs.
func (k Stack) Frames() []Frame {
	var marks []mark
	for t := k.top; t != nil && len(marks) < siteDepth; t = t.parent {
		if t != k.top {
			marks = append(marks, mark{kind: markEdge})
		}
		marks = threadMarks(marks, t.l, 0, siteDepth)
	}
	for len(marks) > 0 && marks[0].kind == markCall && marks[0].proto == nil {
		marks = marks[1:]
	}
	return frames(marks)
}

// Same reports whether both are the same place, reached in the same way.
func (p *Site) Same(other *Site) bool { return p == other || slices.Equal(p.marks, other.marks) }
