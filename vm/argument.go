package vm

import lua "github.com/yuin/gopher-lua"

// Arguments of library functions by Lua's rules: gopher-lua's own readers take "010" for 8, do not know "1e999" and write
// numbers in another way.

// numberArgument reads a number; a text that ParseNumber reads counts as it.
func numberArgument(l *lua.LState, n int) float64 {
	f, ok := ToNumber(l.Get(n))
	if !ok {
		l.TypeError(n, lua.LTNumber)
	}
	return f
}

// intArgument reads a number as luaL_checkint does: truncated, and of what 64 bits hold the lower 32; what they do not hold is 0.
func intArgument(l *lua.LState, n int) int {
	f := numberArgument(l, n)
	if f > -1<<63 && f < 1<<63 {
		return int(int32(int64(f)))
	}
	return 0
}

// optionalInt is intArgument, or otherwise for nil.
func optionalInt(l *lua.LState, n, otherwise int) int {
	if l.Get(n) == lua.LNil {
		return otherwise
	}
	return intArgument(l, n)
}

// textArgument reads a text; a number counts as its text.
func textArgument(l *lua.LState, n int) string {
	text, ok := plainText(l.Get(n))
	if !ok {
		l.TypeError(n, lua.LTString)
	}
	return text
}

func optionalText(l *lua.LState, n int, otherwise string) string {
	if l.Get(n) == lua.LNil {
		return otherwise
	}
	return textArgument(l, n)
}
