package stdlib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// quick are the string functions that programs call most on short texts, for usual arguments.
func (l *stringLibrary) quick() map[string]vm.Quick {
	return map[string]vm.Quick{"byte": l.quickByte, "find": l.quickFind, "len": l.quickLen, "sub": l.quickSub}
}

func (l *stringLibrary) quickLen(args []lua.LValue) (first, second lua.LValue, n int) {
	if len(args) == 1 {
		if text, ok := args[0].(lua.LString); ok {
			return l.state.Number(float64(len(text))), nil, 1
		}
	}
	return nil, nil, 0
}

// index reads argument i, where Lua's numbers are Go's.
func index(args []lua.LValue, i int, missing int64) (int64, bool) {
	if i >= len(args) {
		return missing, true
	}
	f, ok := args[i].(lua.LNumber)
	n := int64(f)
	return n, ok && lua.LNumber(n) == f && f > -1<<53 && f < 1<<53
}

func (l *stringLibrary) quickByte(args []lua.LValue) (first, second lua.LValue, n int) {
	if len(args) != 1 && len(args) != 2 {
		return nil, nil, 0
	}
	text, ok1 := args[0].(lua.LString)
	i, ok2 := index(args, 1, 1)
	if !ok1 || !ok2 {
		return nil, nil, 0
	}
	if i = position(i, len(text)); i < 1 || i > int64(len(text)) {
		return nil, nil, 0
	}
	l.chargeBytes(8)
	return codes[text[i-1]], nil, 1
}

func (l *stringLibrary) quickSub(args []lua.LValue) (first, second lua.LValue, n int) {
	if len(args) != 2 && len(args) != 3 {
		return nil, nil, 0
	}
	text, ok1 := args[0].(lua.LString)
	i, ok2 := index(args, 1, 0)
	j, ok3 := index(args, 2, -1)
	if !ok1 || !ok2 || !ok3 {
		return nil, nil, 0
	}
	from, to := span(i, j, len(text))
	if from == 0 && to == len(text) {
		return args[0], nil, 1
	}
	return l.captured(string(text), from, to), nil, 1
}

// quickFind is find of plain text.
func (l *stringLibrary) quickFind(args []lua.LValue) (first, second lua.LValue, n int) {
	if len(args) < 2 || len(args) > 4 {
		return nil, nil, 0
	}
	text, ok1 := args[0].(lua.LString)
	wanted, ok2 := args[1].(lua.LString)
	init, ok3 := index(args, 2, 1)
	if !ok1 || !ok2 || !ok3 || (len(args) < 4 || !lua.LVAsBool(args[3])) && !isPlain(string(wanted)) {
		return nil, nil, 0
	}
	from := int(min(max(position(init, len(text))-1, 0), int64(len(text))))
	i := strings.Index(string(text[from:]), string(wanted))
	if i < 0 {
		l.chargeSearch(len(text)-from, string(wanted))
		return lua.LNil, nil, 1
	}
	l.chargeSearch(i, string(wanted))
	return l.state.Number(float64(from + i + 1)), l.state.Number(float64(from + i + len(wanted))), 2
}
