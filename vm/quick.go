package vm

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Quick does what a Go function does for usual arguments, without a frame of its own: it neither fails nor calls nor waits.
// It gives n results, one or two; 0 means that the function itself is to be called. It pays
// for what it does; the call itself is paid for.
type Quick = func(args []lua.LValue) (first, second lua.LValue, n int)

// quickFunction is a Go function that has one.
type quickFunction struct {
	lua.LFunction
	quick Quick
}

// quickMark is where the upvalues of such functions are, which have none.
var quickMark [1]*lua.Upvalue

// quickOf is a Go function's, nil if it has none.
func quickOf(fn *lua.LFunction) Quick {
	if unsafe.SliceData(fn.Upvalues) != &quickMark[0] {
		return nil
	}
	return (*quickFunction)(unsafe.Pointer(fn)).quick
}

// Quicken gives a Go function a quick way for usual arguments.
func (s *State) Quicken(fn *lua.LFunction, quick Quick) *lua.LFunction { return quicken(fn, quick) }

func quicken(fn *lua.LFunction, quick Quick) *lua.LFunction {
	q := &quickFunction{*fn, quick}
	q.Upvalues = quickMark[:0:1]
	return &q.LFunction
}

// QuickenAll gives functions of a table quick ways.
func (s *State) QuickenAll(t *lua.LTable, quick map[string]Quick) {
	for name, way := range quick {
		t.RawSetString(name, s.Quicken(t.RawGetString(name).(*lua.LFunction), way))
	}
}
