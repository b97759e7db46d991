package vm

import (
	"reflect"
	"runtime/debug"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Some instructions cost what their operands say: a store at an index fills the array up to it, # looks through all nils at
// the end of the array, and others are in meter.go and chain.go. So these are gopher-lua's with a few steps before them.

type instructionFunc = func(l *lua.LState, code uint32, base unsafe.Pointer) int

//go:linkname jumpTable github.com/yuin/gopher-lua.jumpTable
var jumpTable [lua.OP_NOP + 1]instructionFunc

var (
	plainStore     = jumpTable[lua.OP_SETTABLE]
	plainSetField  = jumpTable[lua.OP_SETTABLEKS]
	plainSetGlobal = jumpTable[lua.OP_SETGLOBAL]
	plainGetTable  = jumpTable[lua.OP_GETTABLE]
	plainGetField  = jumpTable[lua.OP_GETTABLEKS]
	plainGetGlobal = jumpTable[lua.OP_GETGLOBAL]
	plainSelf      = jumpTable[lua.OP_SELF]
	plainLength    = jumpTable[lua.OP_LEN]
	plainEqual     = jumpTable[lua.OP_EQ]
	plainLess      = jumpTable[lua.OP_LT]
	plainLessEqual = jumpTable[lua.OP_LE]
	plainClosure   = jumpTable[lua.OP_CLOSURE]
	plainVararg    = jumpTable[lua.OP_VARARG]
	plainSetList   = jumpTable[lua.OP_SETLIST]
	plainNewTable  = jumpTable[lua.OP_NEWTABLE]
	plainLoadNil   = jumpTable[lua.OP_LOADNIL]
	plainNegate    = jumpTable[lua.OP_UNM]
)

// instructions are all of them, as loop uses them.
var instructions = func() [lua.OP_NOP + 1]instructionFunc {
	all := jumpTable
	for op, fn := range map[int]instructionFunc{
		lua.OP_SETTABLE: store, lua.OP_SETTABLEKS: setField, lua.OP_SETGLOBAL: setGlobal,
		lua.OP_GETTABLE: getTable, lua.OP_GETTABLEKS: getField, lua.OP_GETGLOBAL: getGlobal, lua.OP_SELF: self,
		lua.OP_LEN: length, lua.OP_EQ: equal, lua.OP_LT: less, lua.OP_LE: lessEqual,
		lua.OP_NEWTABLE: newTable, lua.OP_LOADNIL: loadNil, lua.OP_UNM: negate,
		lua.OP_CLOSURE: closure, lua.OP_VARARG: vararg, lua.OP_SETLIST: setList,
	} {
		all[op] = fn
	}
	return all
}()

// knownVersion is the gopher-lua whose insides are known. In a program that is built with another its own loop is used: then
// these instructions are not paid for by what they cost.
const knownVersion = "v1.1.2"

// knownInterpreter: the list of modules is empty in test binaries, which the module's own go.mod speaks for.
func knownInterpreter(modules []*debug.Module) bool {
	for _, m := range modules {
		if m.Path == "github.com/yuin/gopher-lua" {
			return m.Version == knownVersion && m.Replace == nil
		}
	}
	return true
}

// frame is gopher-lua's callFrame. Registers are counted from the beginning of the registry.
type frame struct {
	index  int
	fn     *lua.LFunction
	parent *frame
	pc     int

	base       int // the function's register
	localBase  int // its first argument's
	returnBase int // where its first result goes
	args       int
	want       int // results; -1: all
	tailCalls  int
}

func sameFrame(t reflect.Type) bool {
	return sameShape(t, reflect.TypeFor[frame](), "Idx", "Fn", "Parent", "Pc", "Base", "LocalBase", "ReturnBase", "NArgs", "NRet", "TailCall")
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
