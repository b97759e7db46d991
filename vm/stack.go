package vm

import (
	"reflect"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// gopher-lua's growing call stack (MinimizeStackMemory) allocates frames eight at a time, but the table of these segments
// in full: a depth of 16,000 costs each parked branch 16 KB that it never uses. So threads begin with a short table, and it
// is made longer when the stack comes near its end. This reaches into two unexported structures of the one version of
// gopher-lua that go.mod names; where they do not look as expected, the table is allocated in full instead.

// callStack is gopher-lua's autoGrowingCallFrameStack.
type callStack struct {
	segments []unsafe.Pointer
	index    uint16 // of the segment in use
	frames   uint8  // in it
}

// registry is gopher-lua's registry: the registers of all functions that a thread is in.
type registry struct {
	array                []lua.LValue
	top, growBy, maxSize int
	alloc                *allocator
	handler              interface{ registryOverflow() }
}

const (
	segmentFrames = lua.FramesPerSegment
	firstSegments = 8
	spareSegments = 4
	slotsPerFrame = 8   // by which the registry grows in step
	frameCost     = 8   // of making a frame, in instructions
	keepSegments  = 128 // threads that have been deeper are not kept for reuse
)

// innards are the parts of a thread that are reached into.
type innards struct {
	stack *callStack
	reg   *registry
	frame *unsafe.Pointer // the thread's currentFrame
}

// innardsOf gives a thread's, or false if gopher-lua has changed.
func innardsOf(l *lua.LState) (innards, bool) {
	v := reflect.ValueOf(l).Elem()
	stack, reg, frame := v.FieldByName("stack"), v.FieldByName("reg"), v.FieldByName("currentFrame")
	if !stack.IsValid() || !reg.IsValid() || !frame.IsValid() ||
		stack.Kind() != reflect.Interface || reg.Kind() != reflect.Pointer || frame.Kind() != reflect.Pointer {
		return innards{}, false
	}
	stack = stack.Elem()
	if stack.Kind() != reflect.Pointer || !sameShape(stack.Type().Elem(), reflect.TypeFor[callStack](), "segments", "segIdx", "segSp") ||
		!sameShape(reg.Type().Elem(), reflect.TypeFor[registry](), "array", "top", "growBy") || !sameFrame(frame.Type().Elem()) {
		return innards{}, false
	}
	return innards{(*callStack)(stack.UnsafePointer()), (*registry)(reg.UnsafePointer()), (*unsafe.Pointer)(frame.Addr().UnsafePointer())}, true
}

// reset empties the call stack of a thread whose call has failed. Its upvalues must be closed, as raise leaves them.
func (t *thread) reset() {
	t.stack.index, t.stack.frames = 0, 0
	*t.frame = nil
}

// sameShape says whether a type has the named fields where the mirror has its own.
func sameShape(t, mirror reflect.Type, names ...string) bool {
	if t.Kind() != reflect.Struct || t.NumField() < len(names) {
		return false
	}
	for i, name := range names {
		f, m := t.Field(i), mirror.Field(i)
		if f.Name != name || f.Offset != m.Offset || f.Type.Kind() != m.Type.Kind() {
			return false
		}
	}
	return true
}

// deepen makes the running thread's stack longer when it is nearly full.
func (s *State) deepen() {
	t := s.top
	if t == nil || t.stack == nil || int(t.stack.index)+spareSegments < len(t.stack.segments) {
		return
	}
	n := len(t.stack.segments)
	longer := min(2*n, (s.limits.CallDepth+segmentFrames-1)/segmentFrames)
	if longer <= n {
		return
	}
	s.budget.slice -= int64(longer-n) * segmentFrames * frameCost
	segments := make([]unsafe.Pointer, longer)
	copy(segments, t.stack.segments)
	t.stack.segments = segments
	t.reg.growBy = max(t.reg.growBy, longer*segmentFrames*slotsPerFrame/2)
}
