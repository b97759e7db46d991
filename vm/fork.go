package vm

import (
	"reflect"
	"sync"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// gopher-lua makes each thread in a dozen pieces, with globals of its own that are thrown away at once: 8 KB. So a thread is
// made here as a copy of the main one, in one piece with stacks of its own. Where gopher-lua does not look as expected, it
// makes the threads itself.

// piece is a thread and all it needs to begin.
type piece struct {
	thread
	state    lua.LState
	registry wholeRegistry
	stack    callStack
	slots    [registrySize]lua.LValue
	segments [firstSegments]unsafe.Pointer
	first    segment
}

// wholeRegistry is gopher-lua's registry.
type wholeRegistry struct {
	array                []lua.LValue
	top, growBy, maxSize int
	alloc                *byte
	handler              interface{ registryOverflow() }
}

// segment is gopher-lua's callFrameStackSegment.
type segment [segmentFrames]struct {
	frame
	rest [6]int
}

// layout is where an LState has what a thread does not share.
type layout struct{ registry, stack, frame uintptr }

// threadLayout is nil if gopher-lua has changed.
var threadLayout = sync.OnceValue(func() *layout {
	l := lua.NewState(lua.Options{SkipOpenLibs: true, MinimizeStackMemory: true, CallStackSize: 1})
	in, known := innardsOf(l)
	v := reflect.ValueOf(l).Elem()
	if !known || !sameWhole(v.FieldByName("reg").Type().Elem(), v.FieldByName("stack").Elem().Type().Elem()) || *in.frame != nil {
		return nil
	}
	at := func(name string) uintptr { f, _ := v.Type().FieldByName(name); return f.Offset }
	return &layout{registry: at("reg"), stack: at("stack"), frame: at("currentFrame")}
})

func sameWhole(registry, stack reflect.Type) bool {
	if stack.NumField() != 3 || registry.NumField() != 6 || stack.Size() != unsafe.Sizeof(callStack{}) ||
		!sameShape(registry, reflect.TypeFor[wholeRegistry](), "array", "top", "growBy", "maxSize", "alloc", "handler") {
		return false
	}
	frames := stack.Field(0).Type.Elem().Elem() // the struct of a segment
	if frames.NumField() != 1 || frames.Field(0).Type.Kind() != reflect.Array || frames.Size() != unsafe.Sizeof(segment{}) {
		return false
	}
	frame := frames.Field(0).Type.Elem()
	if frame.NumField() != 10 {
		return false
	}
	for i := 3; i < 10; i++ {
		if frame.Field(i).Type.Kind() != reflect.Int {
			return false
		}
	}
	return sameFrame(frame)
}

// fork makes a thread, nil if it cannot.
func (s *State) fork() *thread {
	at := threadLayout()
	if at == nil || s.limits.CallDepth < firstSegments*segmentFrames {
		return nil
	}
	p := &piece{state: *s.main}
	base := unsafe.Pointer(&p.state)
	registryAt := (**wholeRegistry)(unsafe.Add(base, at.registry))
	p.registry = **registryAt
	p.registry.array, p.registry.top = p.slots[:], 0
	(*[2]unsafe.Pointer)(unsafe.Pointer(&p.registry.handler))[1] = base
	*registryAt = &p.registry
	p.segments[0] = unsafe.Pointer(&p.first)
	p.stack.segments = p.segments[:]
	(*[2]unsafe.Pointer)(unsafe.Add(base, at.stack))[1] = unsafe.Pointer(&p.stack)

	t := &p.thread
	t.l = &p.state
	t.innards = innards{&p.stack, (*registry)(unsafe.Pointer(&p.registry)), (*unsafe.Pointer)(unsafe.Add(base, at.frame))}
	return t
}
