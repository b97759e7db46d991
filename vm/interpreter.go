package vm

import (
	"reflect"
	"runtime/debug"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Some instructions cost what their operands say, where gopher-lua's context counts one: a store at an index fills the
// array up to it, # looks through all nils at the end of the array, and others are in meter.go and chain.go. So these are
// entered in gopher-lua's table of instructions with a few steps before them. They leave states that are not of this package
// alone. It happens before main begins, as afterwards a host's own states may be running.

type instructionFunc = func(l *lua.LState, code uint32, base unsafe.Pointer) int

//go:linkname instructions github.com/yuin/gopher-lua.jumpTable
var instructions [lua.OP_NOP + 1]instructionFunc

var (
	plainStore     = instructions[lua.OP_SETTABLE]
	plainSetField  = instructions[lua.OP_SETTABLEKS]
	plainSetGlobal = instructions[lua.OP_SETGLOBAL]
	plainGetTable  = instructions[lua.OP_GETTABLE]
	plainGetField  = instructions[lua.OP_GETTABLEKS]
	plainGetGlobal = instructions[lua.OP_GETGLOBAL]
	plainSelf      = instructions[lua.OP_SELF]
	plainLength    = instructions[lua.OP_LEN]
	plainEqual     = instructions[lua.OP_EQ]
	plainLess      = instructions[lua.OP_LT]
	plainLessEqual = instructions[lua.OP_LE]
	plainClosure   = instructions[lua.OP_CLOSURE]
	plainVararg    = instructions[lua.OP_VARARG]
	plainSetList   = instructions[lua.OP_SETLIST]
	plainNewTable  = instructions[lua.OP_NEWTABLE]
	plainLoadNil   = instructions[lua.OP_LOADNIL]
	hooked         = hook()
)

// knownVersion is the gopher-lua whose table of instructions is known.
const knownVersion = "v1.1.2"

// hook reports whether they are entered. In a program that is built with another gopher-lua they are not: then these
// instructions are not paid for by what they cost.
func hook() bool {
	if info, ok := debug.ReadBuildInfo(); ok && !knownInterpreter(info.Deps) {
		return false
	}
	for op, fn := range map[int]instructionFunc{
		lua.OP_SETTABLE: store, lua.OP_SETTABLEKS: setField, lua.OP_SETGLOBAL: setGlobal,
		lua.OP_GETTABLE: getTable, lua.OP_GETTABLEKS: getField, lua.OP_GETGLOBAL: getGlobal, lua.OP_SELF: self,
		lua.OP_LEN: length, lua.OP_EQ: equal, lua.OP_LT: less, lua.OP_LE: lessEqual,
		lua.OP_NEWTABLE: newTable, lua.OP_LOADNIL: loadNil,
		lua.OP_CLOSURE: closure, lua.OP_VARARG: vararg, lua.OP_SETLIST: setList,
	} {
		instructions[op] = fn
	}
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

	base, localBase int
}

func sameFrame(t reflect.Type) bool {
	return sameShape(t, reflect.TypeFor[frame](), "Idx", "Fn", "Parent", "Pc", "Base", "LocalBase")
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

// length is OP_LEN: #t.
func length(l *lua.LState, code uint32, base unsafe.Pointer) int {
	if b, ok := l.Context().(*budget); ok {
		if t, ok := l.Get(int(code&0x1ff) + 1).(*lua.LTable); ok {
			b.state.Length(t)
		}
	}
	return plainLength(l, code, base)
}
