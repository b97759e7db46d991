package vm

import (
	"reflect"
	"runtime/debug"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Two instructions cost what their operands say, where gopher-lua's context counts one: a store at an index fills the
// array up to it, and # looks through all nils at the end of the array. So these two are entered in gopher-lua's table of
// instructions with a few steps before them. They leave states that are not of this package alone. It happens before main
// begins, as afterwards a host's own states may be running.

type instructionFunc = func(l *lua.LState, code uint32, base unsafe.Pointer) int

//go:linkname instructions github.com/yuin/gopher-lua.jumpTable
var instructions [lua.OP_NOP + 1]instructionFunc

var (
	plainStore  = instructions[lua.OP_SETTABLE]
	plainLength = instructions[lua.OP_LEN]
	hooked      = hook()
)

// knownVersion is the gopher-lua whose table of instructions is known.
const knownVersion = "v1.1.2"

// hook reports whether the two are entered. In a program that is built with another gopher-lua they are not: then a far store
// and # are not paid for by what they cost.
func hook() bool {
	if info, ok := debug.ReadBuildInfo(); ok && !knownInterpreter(info.Deps) {
		return false
	}
	instructions[lua.OP_SETTABLE], instructions[lua.OP_LEN] = store, length
	return true
}

// knownInterpreter: the list of modules is empty in test binaries, which the module's own go.mod speaks for.
func knownInterpreter(modules []*debug.Module) bool {
	for _, m := range modules {
		if m.Path == "github.com/yuin/gopher-lua" {
			return m.Version == knownVersion && m.Replace == nil
		}
	}
	return true
}

// frame is the beginning of gopher-lua's callFrame.
type frame struct {
	index  int
	fn     *lua.LFunction
	parent *frame
	pc     int
}

func sameFrame(t reflect.Type) bool {
	return sameShape(t, reflect.TypeFor[frame](), "Idx", "Fn", "Parent", "Pc")
}

// operand is what a register or a constant (256 and up) holds, while an instruction runs; nil: unknown.
func (s *State) operand(l *lua.LState, rk int) lua.LValue {
	if rk < 256 {
		return l.Get(rk + 1)
	}
	if t := s.top; t != nil && t.l == l && t.frame != nil {
		return (*frame)(*t.frame).fn.Proto.Constants[rk-256]
	}
	return nil
}

// store is OP_SETTABLE: t[k] = v.
func store(l *lua.LState, code uint32, base unsafe.Pointer) int {
	if b, ok := l.Context().(*budget); ok {
		if t, ok := l.Get(int(code>>18)&0xff + 1).(*lua.LTable); ok {
			s := b.state
			if k, ok := s.operand(l, int(code&0x1ff)).(lua.LNumber); ok && int(k) > len(inside(t).array) && !s.room(l, t, k, code) {
				return 0
			}
		}
	}
	return plainStore(l, code, base)
}

// room charges for a store behind the end of an array; false: it is a nil, which would only fill the array with more.
func (s *State) room(l *lua.LState, t *lua.LTable, k lua.LNumber, code uint32) bool {
	plain := true
	for range lua.MaxTableGetLoop {
		if t.Metatable == lua.LNil || t.Metatable == nil || t.RawGet(k) != lua.LNil {
			break
		}
		next := l.GetMetaField(t, "__newindex")
		if next == lua.LNil {
			break
		}
		other, ok := next.(*lua.LTable)
		if !ok {
			return true // a function stores
		}
		t, plain = other, false
	}
	if plain && s.operand(l, int(code>>9)&0x1ff) == lua.LNil {
		return lua.LNumber(int(k)) != k || int(k) >= lua.MaxArrayIndex
	}
	s.Grow(t, int64(k))
	return true
}

// length is OP_LEN: #t.
func length(l *lua.LState, code uint32, base unsafe.Pointer) int {
	if b, ok := l.Context().(*budget); ok {
		if t, ok := l.Get(int(code&0x1ff) + 1).(*lua.LTable); ok {
			b.state.Length(t)
		}
	}
	return plainLength(l, code, base)
}
