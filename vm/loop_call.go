package vm

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// threadOf is the thread that an LState made by fork is part of.
func threadOf(l *lua.LState) *thread {
	return &(*piece)(unsafe.Add(unsafe.Pointer(l), -int(unsafe.Offsetof(piece{}.state)))).thread
}

// push makes the frame of a call, which is the running one from then on; nil: gopher-lua has to make it.
func (t *thread) push(fn *lua.LFunction, caller *frame, a, args, want int) *frame {
	stack := t.stack
	if stack.frames >= segmentFrames || a+1+args > len(t.reg.array) {
		return nil
	}
	f := &(*segment)(stack.segments[stack.index])[stack.frames]
	f.index = int(stack.frames) + segmentFrames*int(stack.index)
	f.fn, f.parent, f.pc, f.tailCalls = fn, caller, 0, 0
	f.base, f.localBase, f.returnBase = a, a+1, a
	f.args, f.want = args, want
	stack.frames++
	*t.frame = unsafe.Pointer(f)
	return f
}

// enter is push for a Lua function.
func (t *thread) enter(fn *lua.LFunction, caller *frame, a, args, want int) *frame {
	p := fn.Proto
	used := int(p.NumUsedRegisters)
	if p.IsVarArg&lua.VarArgIsVarArg != 0 || a+1+max(args, used) > len(t.reg.array) {
		return nil
	}
	f := t.push(fn, caller, a, args, want)
	if f == nil {
		return nil
	}
	slots := t.reg.array[a+1 : a+1+max(args, used)]
	for i := min(args, int(p.NumParameters)); i < len(slots); i++ {
		slots[i] = lua.LNil
	}
	t.reg.top = a + 1 + used
	return f
}

// run calls the Go function of the running frame, and leaves the frame.
func (t *thread) run(f *frame) {
	n := f.fn.GFunction(t.l)
	want := f.want
	if want < 0 {
		want = n
	}
	t.reg.move(f.returnBase, t.reg.top-n, want)
	t.pop()
}

// pop makes the frame below the running one.
func (t *thread) pop() {
	stack := t.stack
	if stack.frames == 0 { // the first of its segment had been taken away before
		stack.segments[stack.index] = nil
		stack.index--
		stack.frames = segmentFrames
	}
	stack.frames--
	*t.frame = unsafe.Pointer(t.last())
}

func (t *thread) last() *frame {
	stack := t.stack
	switch {
	case stack.frames > 0:
		return &(*segment)(stack.segments[stack.index])[stack.frames-1]
	case stack.index > 0:
		return &(*segment)(stack.segments[stack.index-1])[segmentFrames-1]
	}
	return nil
}

// What becomes of a return.
const (
	stay   = iota // gopher-lua makes it
	ended         // it was the last of this loop
	goesOn        // in the caller
)

// leave is OP_RETURN of the values from register a on: b-1, or all if b is 0.
func (t *thread) leave(f *frame, a, b int, base unsafe.Pointer) int {
	if t.stack.frames == 0 || t.open(f.localBase) {
		return stay
	}
	n := b - 1
	if b == 0 {
		n = t.reg.top - a
	}
	want := f.want
	if want < 0 {
		want = n
	}
	switch {
	case n >= want:
		t.reg.move(f.returnBase, a, want)
	default:
		t.reg.move(f.returnBase, a, n)
		t.reg.fill(f.returnBase+n, want-n)
	}
	t.pop()
	below := (*frame)(*t.frame)
	if unsafe.Pointer(f) == base || below == nil || below.fn.IsG {
		return ended
	}
	return goesOn
}

// upvalue is gopher-lua's Upvalue: a variable that closures share, in a register as long as it is open.
type upvalue struct {
	next   *upvalue
	reg    *registry
	index  int
	value  lua.LValue
	closed bool
}

// open tells whether closures share a variable in a register from this one on.
func (t *thread) open(register int) bool {
	for u := *t.upvalues; u != nil; u = u.next {
		if u.index >= register {
			return true
		}
	}
	return false
}
