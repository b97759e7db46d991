package vm

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// census adds up the sizes of values, each once.
type census struct {
	limit  int64
	bytes  int64
	inside func(v any, visit func(lua.LValue))
	seen   pointers
	todo   []lua.LValue
}

// Sizes in bytes of what values are made of, as gopher-lua and Go make them.
const (
	sizeSlot     = 16 // of an array, a constant, a register
	sizeTable    = 112
	sizeEntry    = 40 // of a hash part
	sizeKey      = 90 // of a key in the order of keys, where it stays when it has no value any more
	sizeMap      = 1000
	sizeFunction = 80
	sizeUpvalue  = 64
	sizeUserData = 64
	sizeHandle   = 600  // of a coroutine
	sizeThread   = 2600 // with some of its goroutine's stack
	sizeSegment  = 640
	sizeCode     = 12 // an instruction and its position
	sizeHeader   = 16 // of a string

	smallString = 64 // shorter ones are not looked for twice
)

// add counts a value that has not been met, and notes what it holds.
func (c *census) add(v lua.LValue) {
	switch v := v.(type) {
	case lua.LString:
		if len(v) < smallString {
			c.bytes += int64(len(v) + sizeHeader)
		} else if c.meet(unsafe.Pointer(unsafe.StringData(string(v)))) {
			c.bytes += int64(len(v) + sizeHeader)
		}
	case *lua.LTable:
		if v != nil && c.meet(unsafe.Pointer(v)) {
			c.todo = append(c.todo, v)
		}
	case *lua.LFunction:
		if v != nil && c.meet(unsafe.Pointer(v)) {
			c.todo = append(c.todo, v)
		}
	case *lua.LUserData:
		if v != nil && c.meet(unsafe.Pointer(v)) {
			c.bytes += sizeUserData
			c.add(v.Metatable)
			if c.inside != nil {
				c.inside(v.Value, c.add)
			}
		}
	case *lua.LState:
		if v != nil && c.meet(unsafe.Pointer(v)) {
			c.bytes += sizeHandle
			if co, ok := v.Context().(*coroutine); ok && co.fn != nil {
				c.add(co.fn)
			}
		}
	}
}

func (c *census) meet(p unsafe.Pointer) bool {
	return c.seen.add(p)
}

func (c *census) count() int64 {
	for len(c.todo) > 0 && c.bytes <= c.limit {
		v := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		switch v := v.(type) {
		case *lua.LTable:
			c.table(v)
		case *lua.LFunction:
			c.function(v)
		}
	}
	return c.bytes
}

func (c *census) table(t *lua.LTable) {
	in := inside(t)
	c.bytes += sizeTable + int64(cap(in.array))*sizeSlot + int64(len(in.dict)+len(in.strdict))*sizeEntry + int64(len(in.keys))*sizeKey
	if in.strdict != nil || in.dict != nil {
		c.bytes += sizeMap
	}
	c.add(in.meta)
	for _, v := range in.array {
		c.add(v)
	}
	for k, v := range in.strdict {
		c.bytes += int64(len(k))
		c.add(v)
	}
	for _, k := range in.keys {
		if _, text := k.(lua.LString); !text {
			c.add(k)
			c.add(in.dict[k])
		}
	}
}

func (c *census) function(f *lua.LFunction) {
	c.bytes += sizeFunction + int64(len(f.Upvalues))*8
	c.add(f.Env)
	for _, u := range f.Upvalues {
		if u != nil && c.meet(unsafe.Pointer(u)) {
			c.bytes += sizeUpvalue
			c.add(u.Value())
		}
	}
	c.proto(f.Proto)
}

// proto counts code, which chunks that load has made hold alone.
func (c *census) proto(p *lua.FunctionProto) {
	if p == nil || !c.meet(unsafe.Pointer(p)) {
		return
	}
	c.bytes += int64(len(p.Code))*sizeCode + int64(len(p.Constants))*sizeSlot
	for _, v := range p.Constants {
		c.add(v)
	}
	for _, inner := range p.FunctionPrototypes {
		c.proto(inner)
	}
}

// thread counts what a thread's registers hold.
func (c *census) thread(t *thread) {
	c.bytes += sizeThread
	if t.reg == nil {
		return
	}
	c.bytes += int64(cap(t.reg.array))*sizeSlot + int64(len(t.stack.segments))*8
	if t.stack != nil {
		c.bytes += int64(t.stack.index+1) * sizeSegment
	}
	for _, v := range t.reg.array[:min(t.reg.top, len(t.reg.array))] {
		c.add(v)
	}
	if t.co != nil {
		for _, v := range t.co.transfer {
			c.add(v)
		}
	}
}
