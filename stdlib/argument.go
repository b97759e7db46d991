package stdlib

import (
	"fmt"
	"unsafe"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/stdlib/internal/printf"
	"github.com/flowlua/flowlua/vm"
)

// bounds is what the Lua libraries share: arguments read by Lua's rules, and what a call may cost.
type bounds struct{ state *vm.State }

// throw raises a text with the position of the calling Lua code, as luaL_error does.
func throw(L *lua.LState, format string, args ...any) { vm.Throwf(L, 1, format, args...) }

// badArgument raises Lua's error for argument n; vm puts it in the words of luaL_argerror, with the name that
// the calling code has for the function. Where pcall or the like calls it, it has no name.
func badArgument(L *lua.LState, n int, problem string) {
	if caller, ok := L.GetStack(1); ok {
		if fn, _ := L.GetInfo("f", caller, lua.LNil); !fn.(*lua.LFunction).IsG {
			L.ArgError(n, problem)
		}
	}
	throw(L, "bad argument #%d to '?' (%s)", n, problem)
}

// wrongType raises Lua's error for an argument of another type.
func wrongType(L *lua.LState, n int, expected string) {
	got := "no value"
	if n <= L.GetTop() {
		got = L.Get(n).Type().String()
	}
	badArgument(L, n, fmt.Sprintf("%s expected, got %s", expected, got))
}

// text reads a string; a number counts as its text.
func (b bounds) text(L *lua.LState, n int) string {
	switch v := L.Get(n).(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return numberText(v)
	}
	wrongType(L, n, "string")
	return ""
}

// number reads a number; a text that Lua reads as a number counts as it.
func (b bounds) number(L *lua.LState, n int) float64 {
	v := L.Get(n)
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v)
	case lua.LString:
		b.state.Charge(int64(len(v) / 16))
	}
	f, ok := vm.ToNumber(v)
	if !ok {
		wrongType(L, n, "number")
	}
	return f
}

// integer reads a number, truncated and clamped: the same on every processor.
func (b bounds) integer(L *lua.LState, n int) int64 { return printf.Int64(b.number(L, n)) }

func (b bounds) optionalInteger(L *lua.LState, n int, missing int64) int64 {
	switch v := L.Get(n).(type) {
	case lua.LNumber:
		return printf.Int64(float64(v))
	case *lua.LNilType:
		return missing
	}
	return b.integer(L, n)
}

func (b bounds) table(L *lua.LState, n int) *lua.LTable {
	t, ok := L.Get(n).(*lua.LTable)
	if !ok {
		wrongType(L, n, "table")
	}
	b.state.Complete(t)
	return t
}

func (b bounds) function(L *lua.LState, n int) *lua.LFunction {
	fn, ok := L.Get(n).(*lua.LFunction)
	if !ok {
		wrongType(L, n, "function")
	}
	return fn
}

// chargeBytes charges for n bytes made, moved or looked at.
func (b bounds) chargeBytes(n int) { b.state.Charge(int64(n)/16 + 1) }

// mostBytes is the most that a library reads into one text. Beyond it the script is told to read in pieces, before the
// limit of strings ends it.
func (b bounds) mostBytes() int64 { return min(64<<20, int64(b.state.Limits().StringBytes)) }

// add appends to a text that is being made. The limit of strings is looked at whenever memory must grow, so
// that no more than about twice as much is ever taken; result looks at it again.
func (b bounds) add(out []byte, piece string) []byte {
	if n := len(out) + len(piece); n > cap(out) {
		b.state.ChargeString(n)
	}
	return append(out, piece...)
}

// result pushes a text that was made, and charges for it. Unless much of its room is empty, out itself becomes the text: it
// is not to be used again.
func (b bounds) result(L *lua.LState, out []byte) int {
	b.state.ChargeString(len(out))
	if empty := cap(out) - len(out); empty > 32+len(out)/4 {
		L.Push(lua.LString(out))
	} else {
		L.Push(lua.LString(unsafe.String(unsafe.SliceData(out), len(out))))
	}
	return 1
}

func numberText(n lua.LNumber) string { return vm.FormatNumber(float64(n)) }

// keyText is a key in a message: what has no text is named by its kind, as an address would differ from run to run.
func keyText(key lua.LValue) string {
	switch key := key.(type) {
	case lua.LNumber:
		return numberText(key)
	case lua.LString, lua.LBool:
		return key.String()
	}
	return "a " + key.Type().String()
}

// textOf is the text of a string or number.
func textOf(v lua.LValue) string {
	if n, ok := v.(lua.LNumber); ok {
		return numberText(n)
	}
	return lua.LVAsString(v)
}
