package vm

import (
	"reflect"
	"runtime/debug"
	"sync"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// gopher-lua makes each thread in a dozen pieces, with globals of its own that are thrown away at once: 8 KB. So a thread is
// made here as a copy of the main one, in one piece with stacks of its own; and so is the main one, whose own would be as
// large again. Where gopher-lua does not look as expected, it makes the threads itself.

// piece is a thread and all it needs to begin.
type piece struct {
	thread
	state    lua.LState
	registry registry
	stack    callStack
	slots    [registrySize]lua.LValue
	segments [firstSegments]unsafe.Pointer
	first    segment
}

// segment is gopher-lua's callFrameStackSegment.
type segment [segmentFrames]frame

// allocator is gopher-lua's: numbers are allocated in blocks. The threads of a state share one.
type allocator struct {
	size     int
	block    []float64
	header   *reflect.SliceHeader
	scratch  lua.LValue
	scratchP *[2]unsafe.Pointer
}

// layout is where an LState has what a thread does not share, and its globals what states do not share.
type layout struct {
	model                         *lua.LState // copied, never used
	registry, stack, frame, alloc uintptr
	upvalues, loop                uintptr
	types                         uintptr // of metatables by type
}

// threadLayout is nil if gopher-lua has changed.
var threadLayout = sync.OnceValue(func() *layout {
	if info, ok := debug.ReadBuildInfo(); ok && !knownInterpreter(info.Deps) {
		return nil
	}
	l := lua.NewState(mainOptions)
	in, known := innardsOf(l)
	v := reflect.ValueOf(l).Elem()
	if !known || !sameWhole(v.FieldByName("reg").Type().Elem(), v.FieldByName("stack").Elem().Type().Elem()) || *in.frame != nil {
		return nil
	}
	alloc, _ := v.Type().FieldByName("alloc")
	types, _ := reflect.TypeFor[lua.Global]().FieldByName("builtinMts")
	if alloc.Type != v.FieldByName("reg").Elem().FieldByName("alloc").Type() || alloc.Type.Elem().NumField() != 5 ||
		!sameShape(alloc.Type.Elem(), reflect.TypeFor[allocator](), "size", "fptrs", "fheader", "scratchValue", "scratchValueP") ||
		types.Type != reflect.TypeFor[map[int]lua.LValue]() {
		return nil
	}
	upvalues, loop := v.FieldByName("uvcache"), v.FieldByName("mainLoop")
	if !upvalues.IsValid() || !loop.IsValid() || loop.Kind() != reflect.Func || loop.Type().NumIn() != 2 || upvalues.Kind() != reflect.Pointer ||
		!sameShape(upvalues.Type().Elem(), reflect.TypeFor[upvalue](), "next", "reg", "index", "value", "closed") {
		return nil
	}
	at := func(name string) uintptr { f, _ := v.Type().FieldByName(name); return f.Offset }
	return &layout{upvalues: at("uvcache"), loop: at("mainLoop"), model: l, registry: at("reg"), stack: at("stack"), frame: at("currentFrame"), alloc: at("alloc"), types: types.Offset}
})

var mainOptions = lua.Options{
	CallStackSize:       firstSegments * segmentFrames,
	RegistrySize:        128, // the least that NewState takes
	RegistryMaxSize:     registryMax,
	RegistryGrowStep:    registryStep,
	SkipOpenLibs:        true,
	MinimizeStackMemory: true,
}

// newMain makes the main thread of a state, with its globals.
func newMain() *lua.LState {
	at := threadLayout()
	if at == nil {
		return lua.NewState(mainOptions)
	}
	p := new(struct {
		piece
		globals lua.Global
		alloc   allocator
	})
	p.cut(at.model, at)
	l := &p.state
	p.globals.Registry, p.globals.Global = NewTable(), NewTable()
	*(*map[int]lua.LValue)(unsafe.Add(unsafe.Pointer(&p.globals), at.types)) = map[int]lua.LValue{}
	l.G, l.Env = &p.globals, p.globals.Global

	a := &p.alloc
	a.size = p.registry.alloc.size
	a.block, a.scratch = make([]float64, 0, a.size), lua.LNumber(0)
	a.header, a.scratchP = (*reflect.SliceHeader)(unsafe.Pointer(&a.block)), (*[2]unsafe.Pointer)(unsafe.Pointer(&a.scratch))
	p.registry.alloc = a
	*(**allocator)(unsafe.Add(unsafe.Pointer(l), at.alloc)) = a
	return l
}

func sameWhole(registers, stack reflect.Type) bool {
	if stack.NumField() != 3 || registers.NumField() != 6 || stack.Size() != unsafe.Sizeof(callStack{}) ||
		!sameShape(registers, reflect.TypeFor[registry](), "array", "top", "growBy", "maxSize", "alloc", "handler") {
		return false
	}
	frames := stack.Field(0).Type.Elem().Elem() // the struct of a segment
	if frames.NumField() != 1 || frames.Field(0).Type.Kind() != reflect.Array || frames.Size() != unsafe.Sizeof(segment{}) {
		return false
	}
	frame := frames.Field(0).Type.Elem()
	return frame.NumField() == 10 && sameFrame(frame)
}

// fork makes a thread, nil if it cannot.
func (s *State) fork() *thread {
	at := threadLayout()
	if at == nil {
		return nil
	}
	p := new(piece)
	p.cut(s.main, at)
	p.stack.segments = p.segments[:min(firstSegments, max(1, s.limits.CallDepth/segmentFrames))]
	p.state.SetContext(s.budget)
	*(*func(*lua.LState, unsafe.Pointer))(unsafe.Add(unsafe.Pointer(&p.state), at.loop)) = loop
	return &p.thread
}

// cut makes p a copy of a thread on which nothing is called, with stacks of its own.
func (p *piece) cut(model *lua.LState, at *layout) {
	p.state = *model
	base := unsafe.Pointer(&p.state)
	registryAt := (**registry)(unsafe.Add(base, at.registry))
	p.registry = **registryAt
	p.registry.array, p.registry.top = p.slots[:], 0
	(*[2]unsafe.Pointer)(unsafe.Pointer(&p.registry.handler))[1] = base
	*registryAt = &p.registry
	p.segments[0] = unsafe.Pointer(&p.first)
	p.stack.segments = p.segments[:]
	(*[2]unsafe.Pointer)(unsafe.Add(base, at.stack))[1] = unsafe.Pointer(&p.stack)

	t := &p.thread
	t.l = &p.state
	t.upvalues = (**upvalue)(unsafe.Add(base, at.upvalues))
	t.innards = innards{&p.stack, &p.registry, (*unsafe.Pointer)(unsafe.Add(base, at.frame))}
}
